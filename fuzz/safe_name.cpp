// transfer: names and texts of others, made fit for a folder and a terminal.
#include "transfer/safe_name.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/printable.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"

namespace wccl::fuzz {
namespace {

using namespace transfer;

void check_printable(std::string_view text, std::size_t most_bytes) {
  const std::string shown = printable(text, most_bytes, "<>");
  require(shown.size() <= most_bytes);
  require(std::ranges::none_of(
      shown, [](unsigned char c) { return c < 0x20 || c == 0x7F || c == '<' || c == '>'; }));
  // Also the control characters of two bytes, U+0080 to U+009F.
  for (std::size_t i = 0; i + 1 < shown.size(); ++i) {
    require(shown[i] != '\xC2' || static_cast<unsigned char>(shown[i + 1]) >= 0xA0);
  }
  require(printable(shown, most_bytes, "<>") == shown);
}

}  // namespace

void check(std::span<const std::byte> input) {
  const std::string_view text = as_text(input);
  check_printable(text, 500);
  check_printable(text, 7);
  const std::string name = safe_base_name(text);
  require(!name.empty() && name.size() <= kMostNameBytes && name != "." && name != "..");
  require(name.find_first_of("/\\") == std::string::npos);
  require(std::filesystem::path(name).filename() == name);
  require(printable(name, kMostNameBytes) == name);
  require(safe_base_name(name) == name);
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> seeds;
  for (const std::string_view text : {"holiday.jpg", "../../etc/passwd", "C:\\Users\\x", "COM1.txt",
                                      "nul ", "..", "", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80",
                                      "\xC2\x9B[2J", "\xED\xA0\x80\xC0\xAF", "a<b>\x7F"}) {
    const auto bytes = std::as_bytes(std::span(text));
    seeds.emplace_back(bytes.begin(), bytes.end());
  }
  seeds.emplace_back(300, std::byte{'x'});
  // Of 255 bytes, before anything is put in front.
  const std::string long_device = "COM1." + std::string(248, 'x') + "\xC3\xA4";
  const auto bytes = std::as_bytes(std::span(long_device));
  seeds.emplace_back(bytes.begin(), bytes.end());
  return seeds;
}

}  // namespace wccl::fuzz
