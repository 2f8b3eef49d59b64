// transfer::Receiver and Sender: a peer that says and sends what it likes, and folders that must
// outlive it.
#include <array>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "fuzz/choices.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "transfer/messages.h"
#include "transfer/receiver.h"
#include "transfer/sender.h"

namespace wccl::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace transfer;

constexpr int kWorldSize = 3;
constexpr Rank kSelf = 0;
constexpr std::string_view kSecret = "outside the folder";

/// Messages of peers wait in it; what is sent to them goes nowhere.
class Link final : public Transport, public Channel {
 public:
  [[nodiscard]] Rank rank() const override { return kSelf; }
  [[nodiscard]] int world_size() const override { return kWorldSize; }
  Status send(std::span<const Rank> to, Tag tag, std::span<const std::byte> message) override {
    require(!to.empty());
    require(tag == kContentTag ? parse_content(message).has_value()
                               : parse_control(message).has_value());
    return {};
  }
  std::optional<Bytes> try_receive(Rank from, Tag tag) override {
    auto& waiting = arrived_[{from, tag}];
    if (waiting.empty()) {
      return std::nullopt;
    }
    Bytes message = std::move(waiting.front());
    waiting.pop_front();
    return message;
  }
  Result<Bytes> receive(Rank /*from*/, Tag /*tag*/) override {
    return fail(ErrorCode::kUnsupported, "a transfer never blocks");
  }
  Status flush() override { return fail(ErrorCode::kUnsupported, "a transfer never blocks"); }

  [[nodiscard]] Transport& transport() override { return *this; }
  [[nodiscard]] Load load() override { return load_; }
  [[nodiscard]] std::uint64_t progress(Rank /*peer*/) override { return progress_; }
  [[nodiscard]] bool is_in_view(Rank /*peer*/) override { return true; }
  [[nodiscard]] std::optional<std::string> departure(Rank peer) override {
    return peer == left_ ? std::optional<std::string>("it has left") : std::nullopt;
  }
  void drop_queued(Rank /*peer*/) override {}

  void put(Rank from, Tag tag, Bytes message) {
    ++progress_;
    arrived_[{from, tag}].push_back(std::move(message));
  }
  void set_load(const Load& load) { load_ = load; }
  void leave(Rank rank) { left_ = rank; }

 private:
  std::map<std::pair<Rank, Tag>, std::deque<Bytes>> arrived_;
  std::uint64_t progress_ = 0;
  Load load_;
  std::optional<Rank> left_;
};

enum Action : std::uint8_t { kStep, kRaw, kOffer, kReport, kContent, kLoad, kLeave, kActions };

/// Paths that lead astray, among others that do not.
constexpr std::array<std::string_view, 11> kPaths{
    "a",   "b/c", "b",   "link/stolen", "../secret", "/etc/x", "link", ".wccl-partial/journal",
    "a/b", "B/C", "kept"};

Entry read_entry(Choices& choices) {
  Entry entry;
  entry.kind = static_cast<EntryKind>(choices.below(3));
  entry.path = kPaths[choices.below(kPaths.size())];
  entry.n_bytes = choices.number<std::uint16_t>() % 10'000;
  // Of nothing but zeros, as most of what comes is: some files turn out right.
  entry.sha256 = sha256(Bytes(entry.n_bytes));
  if (entry.kind == EntryKind::kFolder) {
    entry.n_bytes = 0;
  }
  return entry;
}

Bytes read_manifest(Choices& choices) {
  std::vector<Entry> entries;
  for (std::size_t n = choices.below(5); n > 0; --n) {
    entries.push_back(read_entry(choices));
  }
  const auto manifest = Manifest::of(entries);
  return manifest ? manifest->bytes() : Bytes{};
}

TransferId id_of(const Bytes& manifest) {
  const auto parsed = Manifest::parse(manifest);
  return parsed ? parsed->id() : TransferId{};
}

Report read_report(Choices& choices, const TransferId& id) {
  Report report;
  report.transfer = id;
  report.incarnation = choices.byte();
  report.count = choices.byte();
  report.losses = choices.byte();
  report.complete = choices.byte() > 200;
  report.bytes_had = choices.number<std::uint32_t>();
  report.bytes_came = choices.number<std::uint32_t>();
  report.described = choices.number<std::uint16_t>();
  for (std::size_t n = choices.below(5); n > 0; --n) {
    const std::uint32_t begin = choices.byte();
    const std::uint32_t end = begin + choices.byte();
    if (end <= report.described) {
      report.held.add({begin, end});
    }
  }
  return report;
}

Content read_content(Choices& choices, const TransferId& id, const Bytes& zeros) {
  const std::uint32_t first = choices.byte() % 16U;
  const std::size_t n_bytes = choices.number<std::uint16_t>() % (zeros.size() + 1);
  return {id, first, std::span(zeros).first(n_bytes)};
}

/// @param offered  The transfer that reports and contents speak of.
void put_message(Link& link, Choices& choices, std::uint8_t action, Bytes& offered) {
  static const Bytes kZeros(10'000);
  const auto from = static_cast<Rank>(1 + choices.below(kWorldSize - 1));
  switch (action) {
    case kOffer:
      offered = read_manifest(choices);
      link.put(from, kControlTag, encode_control(Offer{offered}));
      break;
    case kReport:
      link.put(from, kControlTag, encode_control(read_report(choices, id_of(offered))));
      break;
    case kContent:
      link.put(from, kContentTag, encode_content(read_content(choices, id_of(offered), kZeros)));
      break;
    case kLoad:
      link.set_load(
          {choices.byte() * std::size_t{1000}, choices.byte() * std::size_t{100}, choices.coin()});
      break;
    case kLeave:
      link.leave(from);
      break;
    default: {
      const auto bytes = choices.bytes(choices.byte());
      link.put(from, choices.coin() ? kControlTag : kContentTag, {bytes.begin(), bytes.end()});
      break;
    }
  }
}

/// @return whether the end is over, well or not.
template <class End>
bool run(End& end, Link& link, Choices& choices, Bytes offered) {
  constexpr int kMostActions = 100;
  Instant now{std::chrono::seconds(1)};
  for (int i = 0; i < kMostActions && choices.any_left(); ++i) {
    const auto action = static_cast<std::uint8_t>(choices.below(kActions));
    if (action != kStep) {
      put_message(link, choices, action, offered);
      continue;
    }
    for (std::size_t n = 1 + choices.below(8); n > 0; --n) {
      now += std::chrono::milliseconds(100);
      const auto done = end.step(now);
      require(done.has_value() || !done.error().message.empty());
      if (!done || *done) {
        return true;
      }
    }
  }
  return false;
}

/// Whatever came, it is in the folder, and nothing that was there has changed.
void check_folders(const fs::path& root) {
  require(get_file(root / "secret" / "file") == kSecret);
  require(get_file(root / "in" / "kept") == kSecret);
  std::size_t n_secrets = 0;
  for (const auto& entry : fs::directory_iterator(root / "secret")) {
    static_cast<void>(entry);
    ++n_secrets;
  }
  require(n_secrets == 1);
  for (const auto& entry : fs::directory_iterator(root)) {
    require(entry.path().filename() == "in" || entry.path().filename() == "secret");
  }
}

void check_receiver(Choices& choices) {
  const fs::path root = empty_scratch();
  fs::create_directories(root / "in");
  fs::create_directories(root / "secret");
  const auto secret = std::as_bytes(std::span(kSecret));
  put_file(root / "secret" / "file", secret);
  put_file(root / "in" / "kept", secret);
  fs::create_directory_symlink("../secret", root / "in" / "link");
  {
    const auto destination = Destination::open(root / "in", false);
    require(destination.has_value());
    Link link;
    Receiver receiver(link, *destination, EndOptions{std::chrono::seconds(30), 7});
    static_cast<void>(run(receiver, link, choices, {}));
    const auto progress = receiver.progress();
    require(progress.bytes_had <= progress.n_bytes);
  }
  check_folders(root);
}

void check_sender(Choices& choices) {
  static const TemporaryFolder kSources;
  const fs::path path = kSources / "file";
  put_file(path, Bytes(20'000));
  auto files = SourceFiles::open(std::array{path});
  require(files.has_value());
  Link link;
  link.set_load({0, 1000, true});
  Sender sender(link, *files, EndOptions{std::chrono::seconds(30), 7});
  static_cast<void>(run(sender, link, choices, files->manifest().bytes()));
  const auto progress = sender.progress();
  require(progress.n_bytes == 20'000 && progress.bytes_had <= progress.n_bytes);
}

}  // namespace

void check(std::span<const std::byte> input) {
  Choices choices(input);
  if (choices.coin()) {
    check_sender(choices);
  } else {
    check_receiver(choices);
  }
}

std::vector<Bytes> seeds() {
  ByteWriter received;
  put_decisions(received, {0, kStep, 0, kOffer, 0, 2, 1, 1, 0x88, 0x13, 2, 1, 3, 10, 0});
  put_decisions(received, {kStep, 7, kContent, 0, 0, 0x88, 0x13, kStep, 3, kContent, 0, 2, 10, 0});
  put_decisions(received, {kStep, 7, kStep, 7});
  ByteWriter hostile;
  for (int path = 0; path < static_cast<int>(kPaths.size()); ++path) {
    put_decisions(hostile, {kOffer, 0, 1, 1, path, 100, 0, kStep, 7, kContent, 0, 0, 100, 0});
    put_decisions(hostile, {kStep, 7});
  }
  ByteWriter sent;
  put_decisions(sent, {1, kStep, 1, kReport, 0, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 1, 0, 2});
  put_decisions(sent, {kStep, 1, kReport, 1, 6, 1, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0});
  put_decisions(sent, {kLoad, 0, 200, 10, 0, kStep, 3});
  Bytes hostile_bytes = hostile.take();
  hostile_bytes.insert(hostile_bytes.begin(), std::byte{0});
  return {received.take(), hostile_bytes, sent.take()};
}

}  // namespace wccl::fuzz
