#include "eval/result_log.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "eval/result_text.h"

namespace wccl::eval {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannot_write(const fs::path& path) {
  return fail(ErrorCode::kIo, fmt::format("cannot write {}; is the disk full?", path.string()));
}

bool put(std::FILE* file, const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

/// Whole lines that are results. The last line may be torn; any other that is none is an error.
Result<std::vector<PointResult>> read_results(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<PointResult> results;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) {
      break;
    }
    auto result = from_json_line(std::string_view(text).substr(begin, end - begin));
    if (!result) {
      if (end + 1 == text.size()) {
        break;
      }
      return fail(ErrorCode::kCorrupt,
                  fmt::format("line {} of {} is no result of `wccl eval`; choose another --out",
                              results.size() + 1, path.string()));
    }
    results.push_back(std::move(*result));
    begin = end + 1;
  }
  return results;
}

}  // namespace

Status write_whole(const fs::path& path, const std::string& text) {
  const fs::path beside = path.string() + ".part";
  {
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file << text;
    file.flush();
    if (!file) {
      return cannot_write(path);
    }
  }
  std::error_code error;
  fs::rename(beside, path, error);
  if (error) {
    return cannot_write(path);
  }
  return {};
}

Result<ResultLog> ResultLog::open(const fs::path& folder, Start start) {
  const fs::path csv_path = folder / "results.csv";
  const fs::path jsonl_path = folder / "results.jsonl";
  std::error_code error;
  const bool exists = fs::exists(jsonl_path, error);
  std::vector<PointResult> results;
  if (exists && start == Start::kNew) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} has results already: --resume goes on with them, --force replaces "
                            "them",
                            folder.string()));
  }
  if (exists && start == Start::kResume) {
    auto read = read_results(jsonl_path);
    if (!read) {
      return tl::make_unexpected(read.error());
    }
    results = std::move(*read);
  }
  // Written afresh: without the torn line, and with as many lines in both.
  std::string csv = csv_header();
  std::string jsonl;
  for (const PointResult& result : results) {
    csv += to_csv_line(result);
    jsonl += to_json_line(result) + "\n";
  }
  for (const auto& [path, text] : {std::pair(csv_path, csv), std::pair(jsonl_path, jsonl)}) {
    if (auto status = write_whole(path, text); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  File csv_file(std::fopen(csv_path.c_str(), "ab"));
  File jsonl_file(std::fopen(jsonl_path.c_str(), "ab"));
  if (!csv_file || !jsonl_file) {
    return cannot_write(csv_file ? jsonl_path : csv_path);
  }
  return ResultLog(std::move(csv_file), std::move(jsonl_file), std::move(results));
}

bool ResultLog::has(const Point& point) const {
  const std::string key = key_of(point);
  return std::any_of(results_.begin(), results_.end(),
                     [&](const PointResult& result) { return key_of(result.point) == key; });
}

Status ResultLog::add(const PointResult& result) {
  // As it will be read back, so that a resumed sweep ends with the same files.
  const std::string line = to_json_line(result);
  auto kept = from_json_line(line);
  if (!kept) {
    return tl::make_unexpected(kept.error());
  }
  if (!put(csv_.get(), to_csv_line(*kept)) || !put(jsonl_.get(), line + "\n")) {
    return fail(ErrorCode::kIo, "cannot write the results; is the disk full?");
  }
  results_.push_back(std::move(*kept));
  return {};
}

}  // namespace wccl::eval
