#pragma once

#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace wccl::device {

/// An open file of the system, closed at the end.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(const char* path, int flags) : number_(::open(path, flags | O_CLOEXEC)) {}
  ~FileDescriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&&) = delete;

  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

}  // namespace wccl::device
