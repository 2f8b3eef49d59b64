#include <algorithm>
#include <array>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

#include "device/capture_source.h"
#include "device/picture.h"
#include "device/picture_files.h"
#include "device/picture_stream.h"
#include "device/pipe.h"
#include "device/video.h"

namespace wccl::device {
namespace {

namespace fs = std::filesystem;
using Source = std::unique_ptr<CaptureSource>;

/// Several sources, one after another.
class Sequence final : public CaptureSource {
 public:
  explicit Sequence(std::vector<Source> parts) : parts_(std::move(parts)) {}

  std::optional<Result<YuvImage>> next() override {
    for (; at_ < parts_.size(); ++at_) {
      if (auto picture = parts_[at_]->next()) {
        return picture;
      }
    }
    return std::nullopt;
  }

 private:
  std::vector<Source> parts_;
  std::size_t at_ = 0;
};

Result<std::vector<std::byte>> first_bytes(const fs::path& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    return fail(ErrorCode::kIo, fmt::format("cannot read {}", path.string()));
  }
  std::vector<std::byte> bytes(8);
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
  static_cast<void>(std::fclose(file));
  return bytes;
}

/// Digits count by their value, so that frame-9 comes before frame-10.
bool in_order(const fs::path& a, const fs::path& b) {
  const std::string x = a.filename().string();
  const std::string y = b.filename().string();
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < x.size() && j < y.size()) {
    if (!is_digit(x[i]) || !is_digit(y[j])) {
      if (x[i] != y[j]) {
        return x[i] < y[j];
      }
      ++i;
      ++j;
      continue;
    }
    while (i < x.size() && x[i] == '0') {
      ++i;
    }
    while (j < y.size() && y[j] == '0') {
      ++j;
    }
    const auto end_x =
        std::find_if_not(x.begin() + static_cast<std::ptrdiff_t>(i), x.end(), is_digit);
    const auto end_y =
        std::find_if_not(y.begin() + static_cast<std::ptrdiff_t>(j), y.end(), is_digit);
    const std::string number_x(x.begin() + static_cast<std::ptrdiff_t>(i), end_x);
    const std::string number_y(y.begin() + static_cast<std::ptrdiff_t>(j), end_y);
    if (number_x.size() != number_y.size()) {
      return number_x.size() < number_y.size();
    }
    if (number_x != number_y) {
      return number_x < number_y;
    }
    i += number_x.size();
    j += number_y.size();
  }
  return x.size() - i < y.size() - j;
}

Result<std::vector<fs::path>> pictures_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entries(folder, error), end; !error && entries != end;
       entries.increment(error)) {
    if (!entries->is_regular_file(error)) {
      continue;
    }
    const auto start = first_bytes(entries->path());
    if (start && kind_of(*start) != PictureKind::kNone) {
      paths.push_back(entries->path());
    }
  }
  if (error) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot read {}: {}", folder.string(), error.message()));
  }
  if (paths.empty()) {
    return fail(ErrorCode::kNotFound, fmt::format("there are no pictures in {}", folder.string()));
  }
  std::sort(paths.begin(), paths.end(), in_order);
  return paths;
}

using IsCancelled = std::function<bool()>;

/// @param name  What messages call it.
Result<Source> open_pipe(const std::string& name,
                         FileDescriptor pipe,
                         const IsCancelled& is_cancelled) {
  if (!pipe.is_open()) {
    return fail(ErrorCode::kIo, fmt::format("cannot read {}", name));
  }
  auto read = read_pipe(std::move(pipe), is_cancelled);
  auto start = read_start(read, 8);
  if (is_cancelled && is_cancelled()) {
    return fail(ErrorCode::kCancelled, "interrupted");
  }
  if (start.empty()) {
    return fail(ErrorCode::kCorrupt, fmt::format("nothing came on {}", name));
  }
  if (kind_of(start) != PictureKind::kNone) {
    return std::make_unique<PictureStream>(name, std::move(read), std::move(start));
  }
  return open_video(name, std::move(read), std::move(start));
}

/// Collects pictures that follow each other into one source.
class Collector {
 public:
  void add(fs::path picture) { pictures_.push_back(std::move(picture)); }
  void add(Source source) {
    close_pictures();
    parts_.push_back(std::move(source));
  }
  [[nodiscard]] Source take() {
    close_pictures();
    if (parts_.size() == 1) {
      return std::move(parts_.front());
    }
    return std::make_unique<Sequence>(std::move(parts_));
  }

 private:
  void close_pictures() {
    if (pictures_.empty()) {
      return;
    }
    parts_.push_back(std::make_unique<PictureFiles>(std::move(pictures_)));
    pictures_.clear();
  }
  std::vector<fs::path> pictures_;
  std::vector<Source> parts_;
};

Status add_named(Collector& collector, const std::string& name, const IsCancelled& is_cancelled) {
  const fs::path path(name);
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) {
    return fail(ErrorCode::kNotFound, fmt::format("there is no {}", name));
  }
  if (fs::is_directory(status)) {
    const auto pictures = pictures_in(path);
    if (!pictures) {
      return tl::make_unexpected(pictures.error());
    }
    for (const auto& picture : *pictures) {
      collector.add(picture);
    }
    return {};
  }
  if (fs::is_fifo(status)) {
    // Opened so, it does not wait for somebody who writes: reading does.
    auto pipe = open_pipe(name, {name.c_str(), O_RDONLY | O_NONBLOCK}, is_cancelled);
    if (!pipe) {
      return tl::make_unexpected(pipe.error());
    }
    collector.add(std::move(*pipe));
    return {};
  }
  // A name with a picture's ending stays one even when it is torn from the first byte on: a capture
  // that cannot be read, and no reason to give up all others.
  const std::string ending = path.extension().string();
  constexpr std::array<std::string_view, 6> kEndings{".jpg", ".jpeg", ".png",
                                                     ".JPG", ".JPEG", ".PNG"};
  const auto start = fs::is_regular_file(status) ? first_bytes(path) : std::vector<std::byte>();
  if (!start) {
    return tl::make_unexpected(start.error());
  }
  if (kind_of(*start) != PictureKind::kNone ||
      std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end()) {
    collector.add(path);
    return {};
  }
  auto video = open_video(name);
  if (!video) {
    return tl::make_unexpected(video.error());
  }
  collector.add(std::move(*video));
  return {};
}

}  // namespace

Result<Source> open_captures(std::span<const std::string> names, const IsCancelled& is_cancelled) {
  if (std::find(names.begin(), names.end(), "-") != names.end()) {
    if (names.size() == 1) {
      return open_pipe("stdin", FileDescriptor(::dup(STDIN_FILENO)), is_cancelled);
    }
    return fail(ErrorCode::kInvalidArgument, "- (stdin) cannot be mixed with files");
  }
  Collector collector;
  for (const auto& name : names) {
    if (auto status = add_named(collector, name, is_cancelled); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  return collector.take();
}

}  // namespace wccl::device
