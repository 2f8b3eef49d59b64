#include "phy/ldpc_code.h"

#include <array>
#include <cassert>

namespace wccl::phy {
namespace {

using BaseRow = std::array<std::int8_t, kLdpcColumns>;
constexpr std::int8_t o = -1;  // An empty block.

// IEEE Std 802.11n-2009, Table R.3 (802.11-2016, Table F-3): shifts for n = 1944, Z = 81.
// clang-format off
constexpr std::array<BaseRow, 12> kBase1_2{{
    {57,  o,  o,  o, 50,  o, 11,  o, 50,  o, 79,  o,  1,  0,  o,  o,  o,  o,  o,  o,  o,  o,  o,  o},
    { 3,  o, 28,  o,  0,  o,  o,  o, 55,  7,  o,  o,  o,  0,  0,  o,  o,  o,  o,  o,  o,  o,  o,  o},
    {30,  o,  o,  o, 24, 37,  o,  o, 56, 14,  o,  o,  o,  o,  0,  0,  o,  o,  o,  o,  o,  o,  o,  o},
    {62, 53,  o,  o, 53,  o,  o,  3, 35,  o,  o,  o,  o,  o,  o,  0,  0,  o,  o,  o,  o,  o,  o,  o},
    {40,  o,  o, 20, 66,  o,  o, 22, 28,  o,  o,  o,  o,  o,  o,  o,  0,  0,  o,  o,  o,  o,  o,  o},
    { 0,  o,  o,  o,  8,  o, 42,  o, 50,  o,  o,  8,  o,  o,  o,  o,  o,  0,  0,  o,  o,  o,  o,  o},
    {69, 79, 79,  o,  o,  o, 56,  o, 52,  o,  o,  o,  0,  o,  o,  o,  o,  o,  0,  0,  o,  o,  o,  o},
    {65,  o,  o,  o, 38, 57,  o,  o, 72,  o, 27,  o,  o,  o,  o,  o,  o,  o,  o,  0,  0,  o,  o,  o},
    {64,  o,  o,  o, 14, 52,  o,  o, 30,  o,  o, 32,  o,  o,  o,  o,  o,  o,  o,  o,  0,  0,  o,  o},
    { o, 45,  o, 70,  0,  o,  o,  o, 77,  9,  o,  o,  o,  o,  o,  o,  o,  o,  o,  o,  o,  0,  0,  o},
    { 2, 56,  o, 57, 35,  o,  o,  o,  o,  o, 12,  o,  o,  o,  o,  o,  o,  o,  o,  o,  o,  o,  0,  0},
    {24,  o, 61,  o, 60,  o,  o, 27, 51,  o,  o, 16,  1,  o,  o,  o,  o,  o,  o,  o,  o,  o,  o,  0},
}};

constexpr std::array<BaseRow, 8> kBase2_3{{
    {61, 75,  4, 63, 56,  o,  o,  o,  o,  o,  o,  8,  o,  2, 17, 25,  1,  0,  o,  o,  o,  o,  o,  o},
    {56, 74, 77, 20,  o,  o,  o, 64, 24,  4, 67,  o,  7,  o,  o,  o,  o,  0,  0,  o,  o,  o,  o,  o},
    {28, 21, 68, 10,  7, 14, 65,  o,  o,  o, 23,  o,  o,  o, 75,  o,  o,  o,  0,  0,  o,  o,  o,  o},
    {48, 38, 43, 78, 76,  o,  o,  o,  o,  5, 36,  o, 15, 72,  o,  o,  o,  o,  o,  0,  0,  o,  o,  o},
    {40,  2, 53, 25,  o, 52, 62,  o, 20,  o,  o, 44,  o,  o,  o,  o,  0,  o,  o,  o,  0,  0,  o,  o},
    {69, 23, 64, 10, 22,  o, 21,  o,  o,  o,  o,  o, 68, 23, 29,  o,  o,  o,  o,  o,  o,  0,  0,  o},
    {12,  0, 68, 20, 55, 61,  o, 40,  o,  o,  o, 52,  o,  o,  o, 44,  o,  o,  o,  o,  o,  o,  0,  0},
    {58,  8, 34, 64, 78,  o,  o, 11, 78, 24,  o,  o,  o,  o,  o, 58,  1,  o,  o,  o,  o,  o,  o,  0},
}};

constexpr std::array<BaseRow, 6> kBase3_4{{
    {48, 29, 28, 39,  9, 61,  o,  o,  o, 63, 45, 80,  o,  o,  o, 37, 32, 22,  1,  0,  o,  o,  o,  o},
    { 4, 49, 42, 48, 11, 30,  o,  o,  o, 49, 17, 41, 37, 15,  o, 54,  o,  o,  o,  0,  0,  o,  o,  o},
    {35, 76, 78, 51, 37, 35, 21,  o, 17, 64,  o,  o,  o, 59,  7,  o,  o, 32,  o,  o,  0,  0,  o,  o},
    { 9, 65, 44,  9, 54, 56, 73, 34, 42,  o,  o,  o, 35,  o,  o,  o, 46, 39,  0,  o,  o,  0,  0,  o},
    { 3, 62,  7, 80, 68, 26,  o, 80, 55,  o, 36,  o, 26,  o,  9,  o, 72,  o,  o,  o,  o,  o,  0,  0},
    {26, 75, 33, 21, 69, 59,  3, 38,  o,  o,  o, 35,  o, 62, 36, 26,  o,  o,  1,  o,  o,  o,  o,  0},
}};

constexpr std::array<BaseRow, 4> kBase5_6{{
    {13, 48, 80, 66,  4, 74,  7, 30, 76, 52, 37, 60,  o, 49, 73, 31, 74, 73, 23,  o,  1,  0,  o,  o},
    {69, 63, 74, 56, 64, 77, 57, 65,  6, 16, 51,  o, 64,  o, 68,  9, 48, 62, 54, 27,  o,  0,  0,  o},
    {51, 15,  0, 80, 24, 25, 42, 54, 44, 71, 71,  9, 67, 35,  o, 58,  o, 29,  o, 53,  0,  o,  0,  0},
    {16, 29, 36, 41, 44, 56, 59, 37, 50, 24,  o, 65,  4, 65, 52,  o,  4,  o, 73, 52,  1,  o,  o,  0},
}};
// clang-format on

LdpcCode make_code(std::span<const BaseRow> base) {
  LdpcCode code;
  for (const BaseRow& base_row : base) {
    auto& row = code.rows.emplace_back();
    for (std::size_t column = 0; column < kLdpcColumns; ++column) {
      if (base_row[column] == o) continue;
      row.push_back(
          {static_cast<std::uint8_t>(column), static_cast<std::uint8_t>(base_row[column])});
    }
  }
  return code;
}

}  // namespace

const LdpcCode& ldpc_code(CodeRate rate) {
  static const std::array<LdpcCode, 4> codes{make_code(kBase1_2), make_code(kBase2_3),
                                             make_code(kBase3_4), make_code(kBase5_6)};
  assert(rate != CodeRate::kNone);
  return codes[static_cast<std::size_t>(rate) - 1];
}

}  // namespace wccl::phy
