#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

namespace wccl::app {

/// One line that tells how far a long step is: redrawn in place on a terminal, else a new line
/// every few seconds.
class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* stream);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Cheap when it is too early for another.
  template <class MakeText>
  void show(const MakeText& text) {
    if (is_due()) {
      print(text());
    }
  }
  /// Clears the line on a terminal, so that something else can be said.
  void clear();

 private:
  [[nodiscard]] bool is_due();
  void print(const std::string& text);

  std::FILE* stream_;
  bool in_place_;
  bool on_screen_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace wccl::app
