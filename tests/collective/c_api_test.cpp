#include <array>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "wccl/wccl.h"

namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

void run_ranks(int n, const std::function<void(wcclComm_t)>& program) {
  std::vector<wcclComm_t> comms(static_cast<std::size_t>(n));
  ASSERT_EQ(wcclCommInitLoopback(comms.data(), n), wcclSuccess);
  std::vector<std::thread> threads;
  for (const wcclComm_t comm : comms) {
    threads.emplace_back([&program, comm] {
      program(comm);
      EXPECT_EQ(wcclCommDestroy(comm), wcclSuccess);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

int rank_of(wcclComm_t comm) {
  int rank = -1;
  EXPECT_EQ(wcclCommUserRank(comm, &rank), wcclSuccess);
  return rank;
}

TEST(CApi, CollectivesDoWhatTheirNamesSay) {
  run_ranks(3, [](wcclComm_t comm) {
    const int rank = rank_of(comm);
    int count = 0;
    EXPECT_EQ(wcclCommCount(comm, &count), wcclSuccess);
    EXPECT_EQ(count, 3);
    const std::array<int, 2> mine = {rank, 10 * rank};
    std::array<int, 2> reduced = {};
    EXPECT_EQ(wcclAllReduce(mine.data(), reduced.data(), 2, wcclInt32, wcclMax, comm), wcclSuccess);
    EXPECT_THAT(reduced, ElementsAre(2, 20));
    std::array<int, 6> gathered = {};
    EXPECT_EQ(wcclAllGather(mine.data(), gathered.data(), 2, wcclInt32, comm), wcclSuccess);
    EXPECT_THAT(gathered, ElementsAre(0, 0, 1, 10, 2, 20));
    int* const at_root = rank == 1 ? reduced.data() : nullptr;
    EXPECT_EQ(wcclReduce(mine.data(), at_root, 2, wcclInt32, wcclSum, 1, comm), wcclSuccess);
    EXPECT_EQ(reduced[1], rank == 1 ? 30 : 20);
    const int* const from_root = rank == 2 ? mine.data() : nullptr;
    EXPECT_EQ(wcclBroadcast(from_root, reduced.data(), 2, wcclInt32, 2, comm), wcclSuccess);
    EXPECT_THAT(reduced, ElementsAre(2, 20));
    EXPECT_EQ(wcclBarrier(comm), wcclSuccess);
  });
}

TEST(CApi, InPlaceIsTheSameBuffer) {
  run_ranks(2, [](wcclComm_t comm) {
    std::vector<float> values(3, 1.5F);
    EXPECT_EQ(wcclAllReduce(values.data(), values.data(), 3, wcclFloat32, wcclAvg, comm),
              wcclSuccess);
    EXPECT_THAT(values, Each(1.5F));
  });
}

TEST(CApi, SendAndReceiveMatchInOrder) {
  run_ranks(2, [](wcclComm_t comm) {
    for (unsigned char i = 0; i < 3; ++i) {
      unsigned char value = rank_of(comm) == 0 ? i : 99;
      EXPECT_EQ(rank_of(comm) == 0 ? wcclSend(&value, 1, wcclUint8, 1, comm)
                                   : wcclRecv(&value, 1, wcclUint8, 0, comm),
                wcclSuccess);
      EXPECT_EQ(value, i);
    }
  });
}

TEST(CApi, WhatWentWrongIsKeptPerCommunicator) {
  run_ranks(1, [](wcclComm_t comm) {
    EXPECT_STREQ(wcclGetLastError(comm), "");
    int value = 1;
    EXPECT_EQ(wcclBroadcast(&value, &value, 1, wcclInt32, 4, comm), wcclInvalidArgument);
    EXPECT_THAT(wcclGetLastError(comm), HasSubstr("root 4"));
    EXPECT_EQ(wcclAllReduce(nullptr, &value, 1, wcclInt32, wcclSum, comm), wcclInvalidArgument);
    EXPECT_EQ(wcclAllReduce(&value, nullptr, 1, wcclInt32, wcclSum, comm), wcclInvalidArgument);
    EXPECT_EQ(wcclSend(&value, 1, static_cast<wcclDataType_t>(7), 0, comm), wcclInvalidArgument);
    EXPECT_THAT(wcclGetLastError(comm), HasSubstr("data type 7"));
    const auto too_many = std::numeric_limits<std::size_t>::max() / 2;
    EXPECT_EQ(wcclAllGather(&value, &value, too_many, wcclInt32, comm), wcclInvalidArgument);
    EXPECT_EQ(wcclCommCount(comm, nullptr), wcclInvalidArgument);
  });
}

TEST(CApi, WithoutACommunicatorTheThreadKeepsIt) {
  EXPECT_EQ(wcclCommInitLoopback(nullptr, 2), wcclInvalidArgument);
  wcclComm_t comm = nullptr;
  EXPECT_EQ(wcclCommInitLoopback(&comm, 0), wcclInvalidArgument);
  EXPECT_THAT(wcclGetLastError(nullptr), HasSubstr("at least 1"));
  EXPECT_EQ(wcclBarrier(nullptr), wcclInvalidArgument);
  EXPECT_EQ(wcclCommDestroy(nullptr), wcclSuccess);
}

TEST(CApi, EveryResultHasAText) {
  for (int result = wcclSuccess; result <= wcclUnsupported; ++result) {
    EXPECT_STRNE(wcclGetErrorString(static_cast<wcclResult_t>(result)), "unknown result code");
  }
}

}  // namespace
