#include "phy/receiver.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "phy/finder_detector.h"
#include "phy/screen_detector.h"
#include "phy/screen_track.h"

namespace wccl::phy {
namespace {

constexpr int kSearchPeriod = 5;  // Captures between searches for screens that are not known yet.
constexpr std::uint64_t kFirstCaptures = 6;  // All are searched: a session starts with meeting.
constexpr int kForgetAfter = 90;             // Captures without a sight of a screen.
// Distortions that are tried while no screen is seen, beside none and the last one.
constexpr std::array kLensKs{-0.03, 0.03, -0.07, 0.07, -0.11, 0.11,
                             -0.15, 0.15, -0.19, 0.19, -0.23};

/// Where the screens are that this capture showed already.
std::vector<ScreenOutline> outlines(const CaptureReception& reception) {
  std::vector<ScreenOutline> all;
  for (const ScreenReception& screen : reception.screens) {
    all.push_back(screen.corners);
  }
  return all;
}

Point middle_of(const std::array<Point, 4>& corners) {
  Point middle;
  for (const Point& corner : corners) {
    middle.x += corner.x / 4;
    middle.y += corner.y / 4;
  }
  return middle;
}

}  // namespace

struct Receiver::State {
  ReceiverOptions options;
  std::vector<std::unique_ptr<ScreenTrack>> tracks;
  std::vector<bool> seen;  ///< Of each track, in this capture.
  double lens_k = 0;       ///< Of the screen found last: a camera has one lens.
  std::uint64_t n_captures = 0;

  void follow(const YuvView& capture, CaptureReception& reception);
  void search(const YuvView& capture, CaptureReception& reception);
  [[nodiscard]] bool is_searching() const;
  [[nodiscard]] std::optional<std::size_t> track_of(const DetectedScreen& screen) const;
  [[nodiscard]] bool make_room();
  void take(const YuvView& capture, const DetectedScreen& screen, CaptureReception& reception);
};

void Receiver::State::follow(const YuvView& capture, CaptureReception& reception) {
  seen.assign(tracks.size(), false);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    // One that was lost is looked for with the others.
    if (tracks[i]->captures_missed() > 2) {
      tracks[i]->skip();
      continue;
    }
    if (auto screen = tracks[i]->receive(capture)) {
      seen[i] = true;
      reception.screens.push_back(std::move(*screen));
    }
  }
}

bool Receiver::State::is_searching() const {
  return tracks.empty() || n_captures < kFirstCaptures || n_captures % kSearchPeriod == 0 ||
         std::find(seen.begin(), seen.end(), false) != seen.end();
}

void Receiver::State::search(const YuvView& capture, CaptureReception& reception) {
  const bool none_seen = std::find(seen.begin(), seen.end(), true) == seen.end();
  const bool each_capture = none_seen || n_captures < kFirstCaptures;
  const std::uint64_t turn = each_capture ? n_captures : n_captures / kSearchPeriod;
  std::vector<double> lens_ks{lens_k};
  if (lens_k != 0) {
    lens_ks.push_back(0);
  }
  if (none_seen) {
    lens_ks.insert(lens_ks.end(), kLensKs.begin(), kLensKs.end());
  }
  const std::size_t n_before = reception.screens.size();
  const auto read = [&](std::span<const Finder> finders) {
    const DetectedScreens detected = detect_screens(capture.y, finders, lens_ks);
    for (const DetectedScreen& screen : detected.screens) {
      take(capture, screen, reception);
    }
    for (const std::uint8_t version : detected.foreign_versions) {
      if (std::ranges::find(reception.foreign_versions, version) ==
          reception.foreign_versions.end()) {
        reception.foreign_versions.push_back(version);
      }
    }
  };
  std::vector<Finder> finders = detect_large_finders(capture.y, outlines(reception));
  read(finders);
  // Small finders are dear: they wait for a capture that has nothing better to offer.
  if (reception.screens.size() > n_before) {
    return;
  }
  const FinderScan scan = turn % 2 == 0 ? FinderScan::kRows : FinderScan::kDiagonals;
  const auto small = detect_small_finders(capture.y, scan, outlines(reception));
  if (!small.empty()) {
    add_finders(finders, small);
    read(finders);
  }
}

/// Which of the tracks a screen belongs to that was found: none for one that is new.
///
/// Two laptops can show one number, so node and epoch together tell screens apart. A laptop that
/// begins anew, or gets its number, keeps one of the two and its place.
std::optional<std::size_t> Receiver::State::track_of(const DetectedScreen& screen) const {
  const FrameHeader& header = *screen.headers.any();
  const Point middle = middle_of(screen.finders);
  std::optional<std::size_t> in_place;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const bool same_node = tracks[i]->node() == header.node;
    const bool same_epoch = tracks[i]->epoch() == header.epoch;
    if (same_node && same_epoch) {
      return i;
    }
    if ((same_node || same_epoch) && !seen[i] && tracks[i]->covers(middle)) {
      in_place = i;
    }
  }
  return in_place;
}

/// Room for one more: the track that has been out of sight for longest goes.
bool Receiver::State::make_room() {
  if (static_cast<int>(tracks.size()) < options.max_screens) {
    return true;
  }
  std::optional<std::size_t> longest;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (!seen[i] &&
        (!longest || tracks[i]->captures_missed() > tracks[*longest]->captures_missed())) {
      longest = i;
    }
  }
  if (!longest) {
    return false;
  }
  tracks.erase(tracks.begin() + static_cast<std::ptrdiff_t>(*longest));
  seen.erase(seen.begin() + static_cast<std::ptrdiff_t>(*longest));
  return true;
}

void Receiver::State::take(const YuvView& capture,
                           const DetectedScreen& screen,
                           CaptureReception& reception) {
  auto index = track_of(screen);
  if (index) {
    if (seen[*index] || !tracks[*index]->relocate(capture, screen)) {
      return;  // Seen: a mirror image, or a fraud.
    }
  } else {
    auto fresh = std::make_unique<ScreenTrack>(options);
    if (!fresh->relocate(capture, screen) || !make_room()) {
      return;
    }
    index = tracks.size();
    tracks.push_back(std::move(fresh));
    seen.push_back(false);
  }
  ScreenTrack& track = *tracks[*index];
  if (auto received = track.receive(capture)) {
    seen[*index] = true;
    lens_k = track.lens_k();
    reception.screens.push_back(std::move(*received));
  }
}

Receiver::Receiver(ReceiverOptions options) : state_(std::make_unique<State>()) {
  state_->options = options;
}
Receiver::~Receiver() = default;
Receiver::Receiver(Receiver&&) noexcept = default;
Receiver& Receiver::operator=(Receiver&&) noexcept = default;

CaptureReception Receiver::receive(const YuvView& capture, Instant captured_at) {
  CaptureReception reception{captured_at, {}, {}};
  if (capture.y.width < 64 || capture.y.height < 64 || capture.cb.width < 1 ||
      capture.cb.height < 1) {
    return reception;
  }
  state_->follow(capture, reception);
  if (state_->is_searching()) {
    state_->search(capture, reception);
  }
  std::erase_if(state_->tracks,
                [](const auto& track) { return track->captures_missed() > kForgetAfter; });
  std::sort(reception.screens.begin(), reception.screens.end(),
            [](const ScreenReception& a, const ScreenReception& b) {
              return std::pair(a.node, a.epoch) < std::pair(b.node, b.epoch);
            });
  ++state_->n_captures;
  return reception;
}

}  // namespace wccl::phy
