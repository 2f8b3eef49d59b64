#include "train/dataset.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace wccl::train {
namespace {

constexpr std::string_view kAdvice =
    "run ./demo, which fetches MNIST, or name a folder with --data";
constexpr std::uint32_t kSide = 28;
constexpr int kClasses = 10;

constexpr std::uint32_t kImageMagic = 0x00000803;  // unsigned bytes, three dimensions
constexpr std::uint32_t kLabelMagic = 0x00000801;  // unsigned bytes, one dimension

constexpr std::uint32_t kMostImages = 1'000'000;

struct IdxFile {
  std::uint32_t n_items = 0;
  std::vector<std::uint8_t> payload;
};

std::uint32_t big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U |
         std::uint32_t{bytes[2]} << 8U | bytes[3];
}

tl::unexpected<Error> torn(const std::filesystem::path& path, const std::string& what) {
  return fail(ErrorCode::kCorrupt, fmt::format("{} is torn: {}; {}", path.string(), what, kAdvice));
}

tl::unexpected<Error> unreadable(const std::filesystem::path& path, const std::string& why) {
  return fail(ErrorCode::kIo, fmt::format("{} cannot be read: {}", path.string(), why));
}

/// Checks the header against what MNIST can be before any byte of it sizes an allocation.
/// @param header  [n_dimensions + 1] words: magic, items, rows, columns.
Status check_header(const std::filesystem::path& path,
                    std::span<const std::uint32_t> header,
                    std::uint32_t magic) {
  if (header[0] != magic) {
    return torn(path, fmt::format("it begins with {:08x} and not with {:08x} as IDX does",
                                  header[0], magic));
  }
  if (header[1] < 1 || header[1] > kMostImages) {
    return torn(path, fmt::format("it claims {} items, which is not between 1 and {}", header[1],
                                  kMostImages));
  }
  for (const std::uint32_t side : header.subspan(2)) {
    if (side != kSide) {
      return torn(path, fmt::format("a side of {} pixels where MNIST has {}", side, kSide));
    }
  }
  return {};
}

Result<IdxFile> read_idx(const std::filesystem::path& path, std::uint32_t magic) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return fail(ErrorCode::kNotFound, fmt::format("{} is missing; {}", path.string(), kAdvice));
  }
  const std::uintmax_t n_bytes = std::filesystem::file_size(path, error);
  if (error) {
    return unreadable(path, error.message());
  }

  const std::size_t n_dimensions = magic & 0xFFU;
  const std::size_t header_bytes = 4 + 4 * n_dimensions;
  std::array<std::uint8_t, 16> raw{};
  std::array<std::uint32_t, 4> header{};
  if (n_bytes < header_bytes) {
    return torn(path, fmt::format("{} bytes expected at least, {} found", header_bytes, n_bytes));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(raw.data()), static_cast<std::streamsize>(header_bytes))) {
    return unreadable(path, "check its permissions");
  }
  for (std::size_t i = 0; i <= n_dimensions; ++i) {
    header[i] = big_endian(raw.data() + 4 * i);
  }
  if (auto ok = check_header(path, std::span(header).first(n_dimensions + 1), magic); !ok) {
    return tl::make_unexpected(ok.error());
  }

  const std::size_t item_bytes = n_dimensions == 3 ? kSide * kSide : 1;
  const std::size_t expected = header_bytes + header[1] * item_bytes;
  if (n_bytes != expected) {
    return torn(path, fmt::format("{} bytes expected, {} found", expected, n_bytes));
  }
  IdxFile idx{header[1], std::vector<std::uint8_t>(expected - header_bytes)};
  if (!file.read(reinterpret_cast<char*>(idx.payload.data()),
                 static_cast<std::streamsize>(idx.payload.size()))) {
    return unreadable(path, "it ended early");
  }
  return idx;
}

Result<LabelledImages> read_pair(const std::filesystem::path& folder, const std::string& name) {
  auto images = read_idx(folder / (name + "-images-idx3-ubyte"), kImageMagic);
  if (!images) {
    return tl::make_unexpected(images.error());
  }
  const auto label_path = folder / (name + "-labels-idx1-ubyte");
  auto labels = read_idx(label_path, kLabelMagic);
  if (!labels) {
    return tl::make_unexpected(labels.error());
  }
  if (labels->n_items != images->n_items) {
    return torn(label_path,
                fmt::format("{} labels for {} images", labels->n_items, images->n_items));
  }
  const auto& digits = labels->payload;
  const auto wrong = std::find_if(digits.begin(), digits.end(),
                                  [](std::uint8_t label) { return label >= kClasses; });
  if (wrong != digits.end()) {
    return torn(label_path,
                fmt::format("label {} of image {} is not a digit", *wrong, wrong - digits.begin()));
  }
  return LabelledImages{static_cast<int>(images->n_items), static_cast<int>(kSide),
                        static_cast<int>(kSide), std::move(images->payload),
                        std::move(labels->payload)};
}

}  // namespace

Result<Mnist> load_mnist(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return fail(ErrorCode::kNotFound, fmt::format("no folder {}; {}", folder.string(), kAdvice));
  }
  auto train = read_pair(folder, "train");
  if (!train) {
    return tl::make_unexpected(train.error());
  }
  auto test = read_pair(folder, "t10k");
  if (!test) {
    return tl::make_unexpected(test.error());
  }
  return Mnist{std::move(*train), std::move(*test)};
}

}  // namespace wccl::train
