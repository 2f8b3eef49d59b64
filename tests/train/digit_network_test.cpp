#include "train/digit_network.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "synthetic_digits.h"
#include "train/adamw.h"
#include "train/batches.h"
#include "train/weights_hash.h"

namespace wccl::train {
namespace {

// Builds without optimisation are for sanitizers, which need the path and not the statistics.
#ifdef NDEBUG
constexpr std::uint64_t kSeeds = 20;
#else
constexpr std::uint64_t kSeeds = 5;
#endif

std::vector<int> first_pictures(int n) {
  std::vector<int> batch(static_cast<std::size_t>(n));
  std::iota(batch.begin(), batch.end(), 0);
  return batch;
}

class DigitNetworkTest : public ::testing::Test {
 protected:
  Mnist digits_ = make_digits(400, 200, 3);
  DigitNetwork network_;
  std::vector<float> gradient_ = std::vector<float>(DigitNetwork::kParameters);
};

TEST_F(DigitNetworkTest, TensorsCoverAllParametersInOrder) {
  std::size_t offset = 0;
  for (const TensorSpec& spec : DigitNetwork::tensors()) {
    EXPECT_EQ(spec.offset, offset);
    std::size_t size = 1;
    for (int i = 0; i < spec.n_dimensions; ++i) {
      size *= static_cast<std::size_t>(spec.shape[static_cast<std::size_t>(i)]);
    }
    EXPECT_EQ(spec.size, size) << spec.name;
    offset += spec.size;
  }
  EXPECT_EQ(offset, 670U);
}

TEST_F(DigitNetworkTest, GradientIsTheSlopeOfTheLoss) {
  auto weights = DigitNetwork::initial_weights(Rng(1));
  const auto batch = first_pictures(37);
  network_.loss_and_gradient(weights, digits_.train, batch, gradient_);
  std::vector<float> unused(DigitNetwork::kParameters);
  const auto loss_at = [&](std::size_t parameter, float value) {
    std::swap(weights[parameter], value);
    const double loss = network_.loss_and_gradient(weights, digits_.train, batch, unused);
    std::swap(weights[parameter], value);
    return loss;
  };
  // One parameter of each tensor. Single precision leaves about 1e-6 of the loss, 1e-4 of the
  // slope.
  for (const std::size_t parameter : {4U, 9U, 13U, 19U, 300U, 665U}) {
    const double slope = (loss_at(parameter, weights[parameter] + 0.01F) -
                          loss_at(parameter, weights[parameter] - 0.01F)) /
                         0.02;
    EXPECT_NEAR(gradient_[parameter], slope, 1e-3 + 0.02 * std::abs(slope)) << parameter;
  }
}

TEST_F(DigitNetworkTest, GradientDoesNotDependOnWhatRanBefore) {
  const auto weights = DigitNetwork::initial_weights(Rng(1));
  network_.loss_and_gradient(weights, digits_.train, first_pictures(5), gradient_);
  const auto first = gradient_;
  network_.loss_and_gradient(weights, digits_.train, first_pictures(64), gradient_);
  network_.loss_and_gradient(weights, digits_.train, first_pictures(5), gradient_);
  EXPECT_EQ(gradient_, first);
}

TEST_F(DigitNetworkTest, TrainsToTheSameBitsAgain) {
  std::vector<std::string> hashes;
  for (int run = 0; run < 2; ++run) {
    auto weights = DigitNetwork::initial_weights(Rng(1));
    AdamW optimiser(DigitNetwork::kParameters, {});
    Batches batches(shard(digits_.train.n_images, 0, 1, 1), Rng(2));
    for (int step = 0; step < 50; ++step) {
      network_.loss_and_gradient(weights, digits_.train, batches.next(37), gradient_);
      optimiser.step(weights, gradient_, 0.03);
    }
    hashes.push_back(weights_sha256(weights));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_F(DigitNetworkTest, AccuracyCountsEveryPictureOnce) {
  // A network that always says 4: zero weights but for one bias.
  std::vector<float> weights(DigitNetwork::kParameters, 0.0F);
  weights[660 + 4] = 1.0F;
  digits_.test.n_images = 199;  // no multiple of a group
  const auto fours = std::count(digits_.test.labels.begin(), digits_.test.labels.begin() + 199, 4);
  EXPECT_EQ(network_.count_correct(weights, digits_.test), fours);
}

TEST_F(DigitNetworkTest, NoInitialisationDies) {
  // Every seed must pass what a dead ReLU cannot: gradients at both kernels, before and after
  // training at the default rate, and an accuracy far above chance.
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    auto weights = DigitNetwork::initial_weights(Rng(seed));
    AdamW optimiser(DigitNetwork::kParameters, {});
    Batches batches(shard(digits_.train.n_images, 0, 1, seed), Rng(seed).split(1));
    for (int step = 0; step < 60; ++step) {
      network_.loss_and_gradient(weights, digits_.train, batches.next(16), gradient_);
      if (step == 0 || step == 59) {
        EXPECT_NE(gradient_[4], 0.0F) << "seed " << seed;
        EXPECT_NE(gradient_[14], 0.0F) << "seed " << seed;
      }
      optimiser.step(weights, gradient_, 0.03);
    }
    EXPECT_GE(network_.count_correct(weights, digits_.test), 160) << "seed " << seed;
  }
}

TEST_F(DigitNetworkTest, NoSeedStaysBelow80PercentOfTheRealDigits) {
  auto mnist = real_mnist();
  if (!mnist) {
    GTEST_SKIP() << "MNIST is not here; ./test fetches it";
  }
  mnist->test.n_images = 2000;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    auto weights = DigitNetwork::initial_weights(Rng(seed).split(1));
    AdamW optimiser(DigitNetwork::kParameters, {});
    Batches batches(shard(mnist->train.n_images, 0, 2, seed), Rng(seed).split(1000));
    for (int step = 0; step < 300; ++step) {
      network_.loss_and_gradient(weights, mnist->train, batches.next(32), gradient_);
      optimiser.step(weights, gradient_, 0.03 / (1.0 + step / 150.0));
    }
    EXPECT_NE(gradient_[4], 0.0F) << "seed " << seed;
    EXPECT_NE(gradient_[14], 0.0F) << "seed " << seed;
    EXPECT_GE(network_.count_correct(weights, mnist->test), 1600) << "seed " << seed;
  }
}

}  // namespace
}  // namespace wccl::train
