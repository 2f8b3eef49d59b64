#include "train/weights_hash.h"

#include <vector>

#include <gmock/gmock.h>

namespace wccl::train {
namespace {

TEST(WeightsHashTest, IsSha256OfTheLittleEndianFloats) {
  // FIPS 180-4 gives the hash of nothing; the other is `printf '\x00\x00\x80\x3f' | sha256sum`.
  EXPECT_EQ(weights_sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(weights_sha256(std::vector<float>{1.0F}),
            "e00e5eb9444182f352323374ef4e08ebcb784725fdd4fd612d7730540b3e0c8c");
}

}  // namespace
}  // namespace wccl::train
