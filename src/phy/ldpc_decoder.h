#pragma once

#include <cstdint>
#include <span>

#include "phy/ldpc_arithmetic.h"
#include "phy/ldpc_decoder_scalar.h"
#include "phy/llr.h"
#include "phy/mode.h"

namespace wccl::phy {
using LdpcDecoder = ScalarLdpcDecoder;
}  // namespace wccl::phy
