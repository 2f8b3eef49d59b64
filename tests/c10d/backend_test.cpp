#include "c10d/backend.h"

#include <thread>

#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "collective/loopback_transport.h"

namespace wccl::c10d {
namespace {

using Tensors = std::vector<at::Tensor>;
using BackendRef = ::c10d::Backend&;

void run_ranks(LoopbackWorld& world, const std::function<void(BackendRef)>& program) {
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < world.world_size(); ++rank) {
    threads.emplace_back([&world, &program, rank] {
      Communicator communicator(world.transport(rank));
      const auto backend = make_backend(communicator);
      program(*backend);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

void run_ranks(int world_size, const std::function<void(BackendRef)>& program) {
  LoopbackWorld world(world_size);
  run_ranks(world, program);
}

::c10d::AllreduceOptions reducing_by(::c10d::ReduceOp::RedOpType op) {
  ::c10d::AllreduceOptions options;
  options.reduceOp = op;
  return options;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "";
}

TEST(Backend, AllReduceOfEveryTypeAndOperation) {
  for (const auto type : {at::kFloat, at::kHalf, at::kBFloat16, at::kInt, at::kLong, at::kByte}) {
    run_ranks(3, [type](BackendRef backend) {
      const auto reduce = [&](::c10d::ReduceOp::RedOpType op) {
        Tensors tensors = {at::full({2, 3}, 2 * backend.getRank() + 1, type)};  // 1, 3, 5
        backend.allreduce(tensors, reducing_by(op))->wait();
        return tensors[0];
      };
      EXPECT_TRUE(at::equal(reduce(::c10d::ReduceOp::SUM), at::full({2, 3}, 9, type)));
      EXPECT_TRUE(at::equal(reduce(::c10d::ReduceOp::AVG), at::full({2, 3}, 3, type)));
      EXPECT_TRUE(at::equal(reduce(::c10d::ReduceOp::MIN), at::full({2, 3}, 1, type)));
      EXPECT_TRUE(at::equal(reduce(::c10d::ReduceOp::MAX), at::full({2, 3}, 5, type)));
    });
  }
}

TEST(Backend, BroadcastCarriesAnyType) {
  for (const auto type : {at::kFloat, at::kDouble, at::kBool, at::kShort}) {
    run_ranks(2, [type](BackendRef backend) {
      Tensors tensors = {at::full({5}, backend.getRank(), type)};
      ::c10d::BroadcastOptions options;
      options.rootRank = 1;
      backend.broadcast(tensors, options)->wait();
      EXPECT_TRUE(at::equal(tensors[0], at::ones({5}, type)));
    });
  }
}

TEST(Backend, TensorsThatAreNotContiguousWorkInPlace) {
  run_ranks(2, [](BackendRef backend) {
    at::Tensor whole = at::arange(6, at::kFloat).view({2, 3});
    Tensors columns = {whole.t()};
    backend.allreduce(columns, {})->wait();
    EXPECT_TRUE(at::equal(whole, 2 * at::arange(6, at::kFloat).view({2, 3})));
    Tensors column = {whole.select(1, 0)};
    column[0].fill_(backend.getRank());
    backend.broadcast(column, {})->wait();
    EXPECT_EQ(whole.select(1, 0).sum().item<float>(), 0);
    EXPECT_EQ(whole.sum().item<float>(), 2 * (1 + 2 + 4 + 5));
  });
}

TEST(Backend, ParametersThatRequireGradientsCanBeWritten) {
  run_ranks(2, [](BackendRef backend) {
    at::Tensor leaf = at::ones({2, 2}, at::kFloat).t().requires_grad_();
    Tensors tensors = {leaf};
    backend.allreduce(tensors, {})->wait();
    EXPECT_EQ(leaf.sum().item<float>(), 8);
  });
}

TEST(Backend, AllGatherFillsListsAndFlatTensors) {
  run_ranks(3, [](BackendRef backend) {
    Tensors inputs = {at::full({2}, backend.getRank(), at::kLong)};
    std::vector<Tensors> outputs(1);
    for (int i = 0; i < 3; ++i) {
      outputs[0].push_back(at::full({2}, -1, at::kLong));
    }
    backend.allgather(outputs, inputs, {})->wait();
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(at::equal(outputs[0][i], at::full({2}, i, at::kLong)));
    }
    at::Tensor flat = at::empty({6}, at::kLong);
    backend._allgather_base(flat, inputs[0], {})->wait();
    EXPECT_TRUE(at::equal(flat, at::cat(outputs[0])));
  });
}

TEST(Backend, GatherAndReduceReachTheRoot) {
  run_ranks(3, [](BackendRef backend) {
    const bool is_root = backend.getRank() == 1;
    Tensors tensors = {at::full({2}, backend.getRank() + 1, at::kFloat)};
    std::vector<Tensors> outputs;
    if (is_root) {
      outputs.push_back({at::empty({2}), at::empty({2}), at::empty({2})});
    }
    ::c10d::GatherOptions gather_options;
    gather_options.rootRank = 1;
    backend.gather(outputs, tensors, gather_options)->wait();
    if (is_root) {
      EXPECT_EQ(outputs[0][2].sum().item<float>(), 6);
    }
    ::c10d::ReduceOptions reduce_options;
    reduce_options.rootRank = 1;
    backend.reduce(tensors, reduce_options)->wait();
    EXPECT_EQ(tensors[0].sum().item<float>(), is_root ? 12 : 2 * (backend.getRank() + 1));
  });
}

TEST(Backend, SendAndReceiveMatchInOrder) {
  run_ranks(2, [](BackendRef backend) {
    for (int i = 0; i < 3; ++i) {
      Tensors tensors = {at::full({4}, i * backend.getRank(), at::kFloat)};
      if (backend.getRank() == 1) {
        backend.send(tensors, 0, 0)->wait();
      }
      if (backend.getRank() == 0) {
        backend.recv(tensors, 1, 0)->wait();
      }
      EXPECT_EQ(tensors[0].sum().item<float>(), 4.0F * static_cast<float>(i));
    }
    backend.barrier({})->wait();
  });
}

TEST(Backend, WorksBearTheirResultInAFuture) {
  run_ranks(2, [](BackendRef backend) {
    Tensors first = {at::ones({3})};
    Tensors second = {at::full({3}, 5.0F)};
    const auto first_work = backend.allreduce(first, {});
    const auto second_work = backend.allreduce(second, {});
    const auto future = second_work->getFuture();
    ASSERT_TRUE(future->completed());
    EXPECT_EQ(future->value().toTensorVector()[0].sum().item<float>(), 30);
    while (!first_work->isCompleted()) {
      std::this_thread::yield();
    }
    EXPECT_TRUE(first_work->isSuccess());
    EXPECT_EQ(first_work->result()[0].sum().item<float>(), 6);
  });
}

TEST(Backend, AFailureThrowsAndNamesTheRank) {
  LoopbackWorld world(2);
  world.lose(1);
  Communicator communicator(world.transport(0));
  const auto backend = make_backend(communicator);
  Tensors tensors = {at::ones({3})};
  const auto work = backend->allreduce(tensors, {});
  EXPECT_THROW(work->wait(), c10::DistBackendError);
  EXPECT_FALSE(work->isSuccess());
  EXPECT_TRUE(work->getFuture()->hasError());
  EXPECT_THAT(message_of([&] { work->wait(); }), testing::HasSubstr("rank 1"));
  EXPECT_EQ(tensors[0].sum().item<float>(), 3);
}

TEST(Backend, WhatCannotWorkIsRefusedAtOnce) {
  LoopbackWorld world(2);
  Communicator communicator(world.transport(0));
  const auto backend = make_backend(communicator);
  Tensors doubles = {at::ones({2}, at::kDouble)};
  Tensors two = {at::ones({2}), at::ones({2})};
  Tensors one = {at::ones({2})};
  std::vector<Tensors> too_few = {{at::ones({2})}};
  ::c10d::BroadcastOptions bad_root;
  bad_root.rootRank = 2;
  EXPECT_THROW(backend->allreduce(doubles, {}), c10::TypeError);
  EXPECT_THROW(backend->allreduce(two, {}), c10::ValueError);
  EXPECT_THROW(backend->allreduce(one, reducing_by(::c10d::ReduceOp::PRODUCT)), c10::ValueError);
  EXPECT_THROW(backend->broadcast(one, bad_root), c10::ValueError);
  EXPECT_THROW(backend->allgather(too_few, one, {}), c10::ValueError);
  EXPECT_THROW(backend->send(one, 1, 7), c10::ValueError);
  EXPECT_THROW(backend->recvAnysource(one, 0), c10::Error);
}

}  // namespace
}  // namespace wccl::c10d
