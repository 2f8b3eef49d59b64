#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wccl/result.h"

namespace wccl::room {

/// The structs of this file are filled in by the room's owner: every physical parameter with its unit.
struct Scene {};

}  // namespace wccl::room
