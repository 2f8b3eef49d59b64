#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wccl::link {

/// Offsets [begin, end) of a message's stream.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

/// A set of offsets as sorted ranges that neither touch nor overlap: what has been received, what
/// is lost.
class RangeSet {
 public:
  void add(Range range);
  void remove(Range range);
  void add(const RangeSet& other);
  void remove(const RangeSet& other);
  /// Keeps only what lies below `end`.
  void clip(std::uint32_t end) { remove({end, UINT32_MAX}); }
  void clear() { ranges_.clear(); }

  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  [[nodiscard]] bool covers(Range range) const;
  [[nodiscard]] std::uint64_t size() const;
  [[nodiscard]] std::span<const Range> ranges() const { return ranges_; }
  /// What `within` holds and this set does not.
  [[nodiscard]] RangeSet missing(Range within) const;
  /// The end of the run that starts at offset 0; 0 when there is none.
  [[nodiscard]] std::uint32_t prefix() const;

 private:
  std::vector<Range> ranges_;
};

}  // namespace wccl::link
