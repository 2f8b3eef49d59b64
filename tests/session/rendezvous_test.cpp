#include "link/rendezvous.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "link/node.h"
#include "phy/receiver.h"
#include "room/scene.h"
#include "room/world.h"

namespace wccl::session {
namespace {

using namespace std::chrono_literals;

constexpr phy::PanelSize kPanel{1024, 640};

room::Scene small_scene(int n_nodes) {
  room::Scene scene = room::make_scene("face_1080p", "", n_nodes).value();
  for (const char* change : {"camera.width_px=1280", "camera.height_px=720", "camera.fps=10",
                             "panel.width_px=1024", "panel.height_px=640"}) {
    EXPECT_TRUE(room::override_parameter(scene, change));
  }
  return scene;
}

/// A laptop that was given no rank: it meets the others, then is a node.
class Guest final : public Occupant {
 public:
  explicit Guest(link::Rendezvous::Options options)
      : identity_(options.identity), rendezvous_(options) {}

  Painting next_frame(Instant now) override {
    if (!node_) {
      const auto agreement = rendezvous_.agreement();
      EXPECT_TRUE(agreement);
      if (!agreement || !*agreement) {
        return rendezvous_.next_frame(now);
      }
      begin(**agreement);
    }
    return node_->next_frame(now);
  }
  std::function<void(Instant)> decode(const Capture& capture) override {
    return
        [this, reception = receiver_.receive(capture.picture, capture.captured_at)](Instant now) {
          if (node_) {
            node_->on_reception(reception, now);
          } else {
            rendezvous_.on_reception(reception, now);
          }
        };
  }

  [[nodiscard]] bool is_calibrated() const { return node_ && node_->calibrated(); }
  [[nodiscard]] Rank rank() const { return node_ ? node_->options().rank : -1; }
  [[nodiscard]] link::Node& node() { return *node_; }

 private:
  void begin(const link::Rendezvous::Agreement& agreement) {
    link::NodeOptions options;
    options.rank = agreement.rank;
    options.world_size = static_cast<int>(agreement.identities.size());
    options.panel = kPanel;
    options.epoch = identity_;
    node_ = std::make_unique<link::Node>(options);
  }

  std::uint16_t identity_;
  link::Rendezvous rendezvous_;
  std::unique_ptr<link::Node> node_;
  phy::Receiver receiver_;
};

TEST(RendezvousInTheRoom, ThreeLaptopsAgreeCalibrateAndTalk) {
  const std::array<std::uint16_t, 3> identities{40'000, 300, 7'000};
  std::vector<std::unique_ptr<Guest>> guests;
  std::vector<Occupant*> occupants;
  for (const std::uint16_t identity : identities) {
    guests.push_back(
        std::make_unique<Guest>(link::Rendezvous::Options{identity, 3, false, kPanel}));
    occupants.push_back(guests.back().get());
  }
  room::WorldOptions options;
  options.scene = small_scene(3);
  room::World world(std::move(options), occupants);
  bool all_calibrated = false;
  std::optional<Bytes> message;
  const Bytes sent(500, std::byte{42});
  const auto lead = [&] {
    all_calibrated =
        world
            .wait(
                0, [&] { return std::ranges::all_of(guests, &Guest::is_calibrated); }, Instant(15s))
            .value();
    if (!all_calibrated) {
      return;
    }
    // The second laptop has rank 0.
    EXPECT_TRUE(guests[1]->node().send(std::array<Rank, 1>{guests[0]->rank()}, 9, sent));
    EXPECT_TRUE(world.wait(
        0,
        [&] {
          message = guests[0]->node().try_receive(guests[1]->rank(), 9);
          return message.has_value();
        },
        world.now() + 5s));
  };
  world.run({lead, [] {}, [] {}});
  ASSERT_TRUE(all_calibrated);
  EXPECT_EQ(guests[0]->rank(), 2);
  EXPECT_EQ(guests[1]->rank(), 0);
  EXPECT_EQ(guests[2]->rank(), 1);
  EXPECT_EQ(message, sent);
  EXPECT_LT(world.now(), Instant(8s));
}

}  // namespace
}  // namespace wccl::session
