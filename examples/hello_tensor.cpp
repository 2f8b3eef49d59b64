// Two laptops in a virtual room add up a tensor of ten floats. They share nothing but light: each
// shows its numbers on its screen, and reads the other's through its camera.
//
//   build/release/hello_tensor
//
// docs/data_path.md follows these ten floats through every hop.

#include <array>
#include <cstdio>
#include <span>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "wccl/communicator.h"

#include "app/room_setup.h"
#include "session/room_session.h"

namespace {

using namespace wccl;

using Tensor = std::array<float, 10>;

/// What each laptop brings along: rank 0 has 0, 1, 2, ..., rank 1 has 0, 10, 20, ...
Tensor tensor_of(Rank rank) {
  Tensor tensor{};
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    tensor[i] = static_cast<float>(i) * (rank == 0 ? 1.0F : 10.0F);
  }
  return tensor;
}

/// The program that each laptop runs. It knows its transport, and nothing of screens and cameras.
Status add_up(session::RankContext& self, Tensor& tensor) {
  tensor = tensor_of(self.rank());
  Communicator communicator(self.transport());
  return communicator.all_reduce(std::span<float>(tensor), ReduceOp::kSum);
}

Status run() {
  // 1. A room: a desk, two laptops facing each other, their panels, lenses, sensors and the light.
  const auto room = app::set_up_room({.scene = "face_1080p", .arrangement = "pair", .nodes = 2});
  if (!room) {
    return tl::make_unexpected(room.error());
  }
  fmt::print("{}", room::describe(room->visibility));

  // 2. A session in it: each laptop gets a link, which finds the other screen by itself.
  session::RoomSessionOptions options;
  options.scene = room->scene;
  options.seed = 1;
  session::RoomSession session(options);

  // 3. One blocking program a laptop, in virtual time: the same seed gives the same light.
  std::array<Tensor, 2> tensors{};
  const auto done = session.run([&](session::RankContext& self) {
    return add_up(self, tensors[static_cast<std::size_t>(self.rank())]);
  });
  if (!done) {
    return done;
  }

  // 4. Both hold the same sum, bit by bit.
  for (Rank rank = 0; rank < session.n_laptops(); ++rank) {
    fmt::print("laptop {}: {}\n", rank, fmt::join(tensors[static_cast<std::size_t>(rank)], " "));
  }
  if (tensors[0] != tensors[1]) {
    return fail(ErrorCode::kCorrupt, "the laptops disagree");
  }
  fmt::print("{:.2f} s of air time from the cold start, {} + {} bytes on air\n",
             to_seconds(session.air_time()), session.bytes_on_air(0), session.bytes_on_air(1));
  return {};
}

}  // namespace

int main() {
  const auto done = run();
  if (done) {
    return 0;
  }
  fmt::print(stderr, "hello_tensor: {}\n", done.error().message);
  return 1;
}
