#include "train/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <fstream>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "train/whole_file.h"

namespace wccl::train {
namespace {

using Json = nlohmann::json;

constexpr const char* kMetadata = "__metadata__";
constexpr std::uint64_t kLongestHeader = 100'000'000;  // the format's own limit
constexpr std::uint64_t kLargestFile = 1ULL << 34U;
constexpr std::uint64_t kFloatBytes = 4;

tl::unexpected<Error> corrupt(const std::filesystem::path& path, const std::string& what) {
  return fail(ErrorCode::kCorrupt,
              fmt::format("{} is no safetensors file of F32: {}", path.string(), what));
}

/// Where a tensor's data lies, from the end of the header on.
struct Entry {
  NamedTensor tensor;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

std::optional<std::uint64_t> unsigned_at(const Json& array, std::size_t index) {
  if (!array.is_array() || index >= array.size() || !array[index].is_number_unsigned()) {
    return std::nullopt;
  }
  return array[index].get<std::uint64_t>();
}

/// @param n_bytes  Of all data. @return nothing when the entry contradicts the format, itself or
/// `n_bytes`.
std::optional<Entry> parse_entry(const std::string& name, const Json& json, std::uint64_t n_bytes) {
  if (!json.is_object() || json.value("dtype", Json()) != "F32") {
    return std::nullopt;
  }
  const Json shape = json.value("shape", Json());
  const Json offsets = json.value("data_offsets", Json());
  const auto begin = unsigned_at(offsets, 0);
  const auto end = unsigned_at(offsets, 1);
  if (!shape.is_array() || !begin || !end || offsets.size() != 2) {
    return std::nullopt;
  }
  if (*begin > *end || *end > n_bytes) {
    return std::nullopt;
  }

  Entry entry{{name, {}, {}}, *begin, *end};
  std::uint64_t n_values = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto size = unsigned_at(shape, i);
    // Bounded at each step, so that the product cannot wrap round.
    if (!size || *size > kLargestFile || (*size != 0 && n_values > kLargestFile / *size)) {
      return std::nullopt;
    }
    n_values *= *size;
    entry.tensor.shape.push_back(static_cast<std::int64_t>(*size));
  }
  if (n_values * kFloatBytes != *end - *begin) {
    return std::nullopt;
  }
  return entry;
}

std::vector<float> to_floats(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  std::vector<float> values;
  values.reserve(bytes.size() / kFloatBytes);
  while (const auto word = reader.get<std::uint32_t>()) {
    values.push_back(std::bit_cast<float>(*word));
  }
  return values;
}

Result<std::vector<std::byte>> read_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return fail(ErrorCode::kNotFound, fmt::format("no file {}", path.string()));
  }
  const std::uintmax_t n_bytes = std::filesystem::file_size(path, error);
  if (error || n_bytes > kLargestFile) {
    return corrupt(path, "its size is out of range");
  }
  std::vector<std::byte> bytes(n_bytes);
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()))) {
    return fail(ErrorCode::kIo, fmt::format("{} cannot be read", path.string()));
  }
  return bytes;
}

nlohmann::ordered_json make_header(const Safetensors& content) {
  auto header = nlohmann::ordered_json::object();
  if (!content.metadata.empty()) {
    header[kMetadata] = content.metadata;
  }
  std::uint64_t offset = 0;
  for (const NamedTensor& tensor : content.tensors) {
    const std::uint64_t end = offset + kFloatBytes * tensor.values.size();
    header[tensor.name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  return header;
}

}  // namespace

Status write_safetensors(const std::filesystem::path& path, const Safetensors& content) {
  std::string header = make_header(content).dump();
  header.resize((header.size() + 7) / 8 * 8,
                ' ');  // data begins at a multiple of 8, as the format asks
  ByteWriter writer;
  writer.put(static_cast<std::uint64_t>(header.size()));
  writer.put_bytes(std::as_bytes(std::span(header)));
  for (const NamedTensor& tensor : content.tensors) {
    for (const float value : tensor.values) {
      writer.put(std::bit_cast<std::uint32_t>(value));
    }
  }
  return write_whole_file(path, writer.take());
}

Result<Safetensors> read_safetensors(const std::filesystem::path& path) {
  const auto bytes = read_file(path);
  if (!bytes) {
    return tl::make_unexpected(bytes.error());
  }
  ByteReader reader(*bytes);
  const auto header_size = reader.get<std::uint64_t>();
  if (!header_size || *header_size > kLongestHeader) {
    return corrupt(path, "the header's length is out of range");
  }
  const auto header_bytes = reader.get_bytes(*header_size);
  if (!header_bytes) {
    return corrupt(path, "it ends within the header");
  }
  const auto* text = reinterpret_cast<const char*>(header_bytes->data());
  // Sorted by name: to look a name up among as many as 100 MB hold must not take a walk over all.
  const Json header = Json::parse(text, text + header_bytes->size(), nullptr, false);
  if (!header.is_object()) {
    return corrupt(path, "the header is not a JSON object");
  }

  const std::span<const std::byte> data = reader.rest();
  Safetensors content;
  std::vector<Entry> entries;
  for (const auto& [name, json] : header.items()) {
    if (name == kMetadata) {
      if (!json.is_object()) {
        return corrupt(path, "its metadata is not an object");
      }
      for (const auto& [key, value] : json.items()) {
        if (!value.is_string()) {
          return corrupt(path, "its metadata holds more than text");
        }
        content.metadata[key] = value.get<std::string>();
      }
      continue;
    }
    auto entry = parse_entry(name, json, data.size());
    if (!entry) {
      return corrupt(path, fmt::format("the entry of tensor '{}' is wrong", name));
    }
    entries.push_back(std::move(*entry));
  }
  // One without values begins where the next one does, and comes before it.
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::uint64_t position = 0;
  for (Entry& entry : entries) {
    if (entry.begin != position) {
      return corrupt(path, "its tensors overlap or leave a gap");
    }
    position = entry.end;
    entry.tensor.values = to_floats(data.subspan(entry.begin, entry.end - entry.begin));
    content.tensors.push_back(std::move(entry.tensor));
  }
  if (position != data.size()) {
    return corrupt(path, fmt::format("{} bytes expected, {} found", position, data.size()));
  }
  return content;
}

}  // namespace wccl::train
