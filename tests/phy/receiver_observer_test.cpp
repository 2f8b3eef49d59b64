#include "phy/receiver_observer.h"

#include <set>

#include <gtest/gtest.h>

#include "phy/receiver.h"
#include "test_camera.h"

namespace wccl::phy {
namespace {

TEST(ReceiverObserver, SeesEachDataCellOfEachChannelAndEachStage) {
  constexpr PanelSize kPanel{1280, 800};
  Rng rng(5);
  const TestFrame frame = make_frame(kPanel, *find_mode("rgb8-1.5"), 3, 77, rng);
  TestCamera camera;
  camera.width = 960;
  camera.height = 640;
  const TestView view{.panel = &frame.image,
                      .corners = view_corners(kPanel, {470, 330}, 700, 0, 0)};
  const YuvImage picture = take_picture(camera, {&view, 1}, rng);

  std::set<Stage> stages;
  std::array<std::set<std::int32_t>, 3> cells;
  std::size_t n_data_cells = 0;
  auto observer = std::make_shared<ReceiverObserver>();
  observer->on_stage = [&](Stage stage) { stages.insert(stage); };
  observer->on_row = [&](const SoftRow& row) {
    EXPECT_EQ(row.node, 3);
    EXPECT_EQ(row.sequence, 77);
    EXPECT_FLOAT_EQ(row.share_left, 1);
    EXPECT_EQ(row.estimates.size(), static_cast<std::size_t>(row.layout->columns()));
    n_data_cells = row.layout->data_cells();
    for (std::size_t i = 0; i < row.llrs.size(); ++i) {
      cells.at(static_cast<std::size_t>(row.channel))
          .insert(row.first_cell + static_cast<std::int32_t>(i));
    }
  };
  ReceiverOptions options;
  options.observer = observer;
  Receiver receiver(options);
  const CaptureReception reception = receiver.receive(picture.view(), Instant{});
  ASSERT_EQ(reception.screens.size(), 1U);
  for (const auto& channel : cells) {
    EXPECT_EQ(channel.size(), n_data_cells);
  }
  EXPECT_EQ(stages.size(), 4U);
}

}  // namespace
}  // namespace wccl::phy
