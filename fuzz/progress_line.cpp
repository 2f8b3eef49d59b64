// train::parse_progress(): lines of metrics.jsonl, which a resumed run goes on with.
#include <limits>
#include <string>

#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "train/progress_json.h"

namespace wccl::fuzz {

void check(std::span<const std::byte> input) {
  const auto progress = train::parse_progress(as_text(input), 3);
  if (!progress) {
    return;
  }
  require(progress->rank == 3 && progress->syncs >= 0 && progress->steps >= 0);
  require(progress->elapsed >= Duration::zero());
  const std::string line = train::to_json_line(*progress);
  const auto again = train::parse_progress(line, 3);
  require(again.has_value() && train::to_json_line(*again) == line);
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> seeds;
  for (const train::Progress& progress :
       {train::Progress{3, 1, 100, 0.25, 0.9, Duration(1'500'000)},
        train::Progress{3, std::numeric_limits<int>::max(), 1'000'000'000'000, 1e300, 0, {}}}) {
    const std::string line = train::to_json_line(progress);
    const auto bytes = std::as_bytes(std::span(line));
    seeds.emplace_back(bytes.begin(), bytes.end());
  }
  return seeds;
}

}  // namespace wccl::fuzz
