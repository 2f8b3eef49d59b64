#include "c10d/gloo.h"

#include <csignal>
#include <functional>
#include <thread>

#include <ATen/Functions.h>
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "c10d/socket.h"

namespace wccl::c10d {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

const std::string kHere = "127.0.0.1";

std::uint16_t port_of(const Socket& socket) {
  sockaddr_in address{};
  socklen_t length = sizeof(address);
  getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.sin_port);
}

/// A port that was free a moment ago.
std::uint16_t free_port() {
  const auto listener = listen_on({kHere, 0});
  return port_of(*listener);
}

GlooTimeouts both(Duration timeout) {
  return {timeout, timeout};
}

/// Each rank's part on a thread of its own, once all have met.
void run_ranks(int world_size, const std::function<void(int rank, GlooGroup& group)>& part) {
  std::signal(SIGPIPE, SIG_IGN);  // As the program does.
  const std::uint16_t port = free_port();
  std::vector<std::thread> threads;
  for (int rank = 0; rank < world_size; ++rank) {
    threads.emplace_back([&, rank] {
      auto group = make_gloo_group(rank, world_size, kHere, port, both(seconds(20)));
      ASSERT_TRUE(group) << group.error().message;
      part(rank, *group);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

/// The others are in a sum which `gone` never joins.
void expect_named(int world_size, int gone) {
  run_ranks(world_size, [gone](int rank, GlooGroup& group) {
    if (rank == gone) {
      return;
    }
    std::vector<at::Tensor> tensors = {at::full({4}, 1, at::kFloat)};
    EXPECT_ANY_THROW(group.backend->allreduce(tensors)->wait());
    EXPECT_THAT(group.attendance->missing(), testing::ElementsAre(gone));
  });
}

TEST(Gloo, RanksMeetAndReduce) {
  run_ranks(3, [](int rank, GlooGroup& group) {
    std::vector<at::Tensor> tensors = {at::full({4}, rank + 1, at::kFloat)};
    group.backend->allreduce(tensors)->wait();
    EXPECT_EQ(tensors[0].sum().item<float>(), 24);
    group.backend->barrier()->wait();
  });
}

TEST(Gloo, ARankThatIsGoneIsNamed) {
  expect_named(3, 1);
}

TEST(Gloo, WhenRankZeroIsGoneSoIsTheStoreAndItIsNamed) {
  expect_named(2, 0);
}

TEST(Gloo, NobodyIsMissingWhileAllAreThere) {
  run_ranks(2, [](int /*rank*/, GlooGroup& group) {
    EXPECT_THAT(group.attendance->missing(), testing::IsEmpty());
    group.backend->barrier()->wait();
  });
}

TEST(Gloo, ABusyPortIsNamed) {
  const auto taken = listen_on({kHere, 0});
  const std::uint16_t port = port_of(*taken);
  const auto backend = make_gloo_group(0, 1, kHere, port, both(seconds(1)));
  ASSERT_FALSE(backend);
  EXPECT_EQ(backend.error().code, ErrorCode::kIo);
  EXPECT_THAT(backend.error().message, HasSubstr(std::to_string(port)));
  EXPECT_THAT(backend.error().message, HasSubstr("busy"));
}

TEST(Gloo, WithoutRankZeroTheOthersGiveUp) {
  const auto backend = make_gloo_group(1, 2, kHere, free_port(), both(milliseconds(100)));
  ASSERT_FALSE(backend);
  EXPECT_EQ(backend.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(backend.error().message, HasSubstr("nobody answers"));
}

TEST(Gloo, RankZeroGivesUpWhenNobodyComes) {
  const auto backend = make_gloo_group(0, 2, kHere, free_port(), both(milliseconds(300)));
  ASSERT_FALSE(backend);
  EXPECT_EQ(backend.error().code, ErrorCode::kTimeout) << backend.error().message;
  EXPECT_THAT(backend.error().message, HasSubstr("rank 1 did not come"));
  EXPECT_THAT(backend.error().message, testing::Not(HasSubstr("\n")));
}

TEST(Gloo, ImpossibleArgumentsFailBeforeAnyWork) {
  const auto code = [](const auto& backend) { return backend.error().code; };
  EXPECT_EQ(code(make_gloo_group(2, 2, kHere, 1, both(seconds(1)))), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(make_gloo_group(0, 0, kHere, 1, both(seconds(1)))), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(make_gloo_group(0, 1, kHere, 0, both(seconds(1)))), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(make_gloo_group(0, 1, "no such host", 1, both(seconds(1)))), ErrorCode::kNotFound);
  EXPECT_EQ(code(make_gloo_group(0, 1, "192.0.2.1", free_port(), both(seconds(1)))),
            ErrorCode::kIo);
}

}  // namespace
}  // namespace wccl::c10d
