#include "phy/code_rate.h"

#include <limits>

#include "phy/ldpc_code.h"

namespace wccl::phy {
namespace {

struct RateFacts {
  std::string_view name;
  std::size_t numerator;
  std::size_t denominator;
  double required_snr_db;
};

constexpr std::array<RateFacts, 10> kFacts{{
    {"-", 0, 0, -std::numeric_limits<double>::infinity()},
    // The mother code's bits and two thirds of them again: 2.2 dB below 1/3.
    {"1/5", 1, 5, -2.9},
    {"1/3", 1, 3, -0.7},
    {"2/5", 2, 5, 0.3},
    {"1/2", 1, 2, 1.55},
    {"3/5", 3, 5, 2.8},
    {"2/3", 2, 3, 3.6},
    {"3/4", 3, 4, 4.6},
    {"5/6", 5, 6, 5.75},
    {"8/9", 8, 9, 6.75},
}};

const RateFacts& facts_of(CodeRate rate) {
  return kFacts[static_cast<std::size_t>(rate)];
}

}  // namespace

std::string_view name_of(CodeRate rate) {
  return facts_of(rate).name;
}

std::size_t block_coded_bits(CodeRate rate) {
  const RateFacts& facts = facts_of(rate);
  return facts.numerator == 0 ? 0 : kLdpcInfoBits * facts.denominator / facts.numerator;
}

double required_snr_db(CodeRate rate) {
  return facts_of(rate).required_snr_db;
}

}  // namespace wccl::phy
