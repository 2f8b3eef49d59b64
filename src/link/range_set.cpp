#include "link/range_set.h"

#include <algorithm>

namespace wccl::link {

void RangeSet::add(Range range) {
  if (range.begin >= range.end) {
    return;
  }
  const auto first = std::ranges::lower_bound(ranges_, range.begin, {}, &Range::end);
  auto last = first;
  while (last != ranges_.end() && last->begin <= range.end) {
    range.begin = std::min(range.begin, last->begin);
    range.end = std::max(range.end, last->end);
    ++last;
  }
  if (first == last) {
    ranges_.insert(first, range);
    return;
  }
  *first = range;
  ranges_.erase(first + 1, last);
}

void RangeSet::remove(Range range) {
  if (range.begin >= range.end) {
    return;
  }
  const auto first = std::ranges::upper_bound(ranges_, range.begin, {}, &Range::end);
  auto last = first;
  std::vector<Range> rest;
  while (last != ranges_.end() && last->begin < range.end) {
    if (last->begin < range.begin) {
      rest.push_back({last->begin, range.begin});
    }
    if (last->end > range.end) {
      rest.push_back({range.end, last->end});
    }
    ++last;
  }
  const auto at = ranges_.erase(first, last);
  ranges_.insert(at, rest.begin(), rest.end());
}

bool RangeSet::covers(Range range) const {
  if (range.begin >= range.end) {
    return true;
  }
  const auto it = std::ranges::upper_bound(ranges_, range.begin, {}, &Range::end);
  return it != ranges_.end() && it->begin <= range.begin && it->end >= range.end;
}

std::uint64_t RangeSet::size() const {
  std::uint64_t n = 0;
  for (const Range& range : ranges_) {
    n += range.end - range.begin;
  }
  return n;
}

RangeSet RangeSet::missing(Range within) const {
  RangeSet gaps;
  std::uint32_t at = within.begin;
  auto it = std::ranges::upper_bound(ranges_, within.begin, {}, &Range::end);
  for (; it != ranges_.end() && it->begin < within.end; ++it) {
    if (it->begin > at) {
      gaps.ranges_.push_back({at, it->begin});
    }
    at = it->end;
  }
  if (at < within.end) {
    gaps.ranges_.push_back({at, within.end});
  }
  return gaps;
}

void RangeSet::add(const RangeSet& other) {
  for (const Range& range : other.ranges_) {
    add(range);
  }
}

void RangeSet::remove(const RangeSet& other) {
  for (const Range& range : other.ranges_) {
    remove(range);
  }
}

std::uint32_t RangeSet::prefix() const {
  return !ranges_.empty() && ranges_.front().begin == 0 ? ranges_.front().end : 0;
}

}  // namespace wccl::link
