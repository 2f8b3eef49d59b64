#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "wccl/result.h"

namespace wccl::train {

struct NamedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

/// The F32 part of the safetensors format (Hugging Face): the header's length in 8 bytes, a JSON
/// header, data.
struct Safetensors {
  std::vector<NamedTensor> tensors;             ///< In the order of their data.
  std::map<std::string, std::string> metadata;  ///< What the format keeps under `__metadata__`.
};

/// Writes beside `path` first and renames then: a reader, or a power cut, never meets half a file.
[[nodiscard]] Status write_safetensors(const std::filesystem::path& path,
                                       const Safetensors& content);

/// @return kNotFound, or kCorrupt when the file is not what the format or its own header says.
[[nodiscard]] Result<Safetensors> read_safetensors(const std::filesystem::path& path);

}  // namespace wccl::train
