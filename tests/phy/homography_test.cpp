#include "phy/homography.h"

#include <gtest/gtest.h>

#include "phy/least_squares.h"

namespace wccl::phy {
namespace {

constexpr std::array<Point, 4> kPanel{{{0, 0}, {1920, 0}, {1920, 1200}, {0, 1200}}};
constexpr std::array<Point, 4> kSeen{{{310, 205}, {1400, 150}, {1460, 910}, {290, 800}}};

TEST(Homography, MapsItsFourPairsOntoEachOther) {
  const auto h = Homography::fit(kPanel, kSeen);
  ASSERT_TRUE(h);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(h->map(kPanel[i]).x, kSeen[i].x, 1e-6);
    EXPECT_NEAR(h->map(kPanel[i]).y, kSeen[i].y, 1e-6);
  }
}

TEST(Homography, UnitSquareNeedsNoEquations) {
  constexpr std::array<Point, 4> square{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  const Homography exact = Homography::of_unit_square(kSeen);
  const auto fitted = Homography::fit(square, kSeen);
  EXPECT_NEAR(exact.map({0.3, 0.8}).x, fitted->map({0.3, 0.8}).x, 1e-6);
  EXPECT_NEAR(exact.map({0.3, 0.8}).y, fitted->map({0.3, 0.8}).y, 1e-6);
}

TEST(Homography, InverseBringsPointsBack) {
  const auto h = Homography::fit(kPanel, kSeen);
  const auto inverse = h->inverse();
  ASSERT_TRUE(inverse);
  const Point p = inverse->map(h->map({700, 333}));
  EXPECT_NEAR(p.x, 700, 1e-6);
  EXPECT_NEAR(p.y, 333, 1e-6);
}

TEST(Homography, AreaScaleIsTheLocalGrowth) {
  const auto h = Homography::fit(kPanel, kSeen);
  const Point at{400, 500};
  const double step = 0.01;
  const Point o = h->map(at);
  const Point u = h->map({at.x + step, at.y});
  const Point v = h->map({at.x, at.y + step});
  const double area = (u.x - o.x) * (v.y - o.y) - (u.y - o.y) * (v.x - o.x);
  EXPECT_NEAR(h->area_scale(at), area / (step * step), 1e-4);
}

TEST(Homography, PointsOnALineHaveNone) {
  constexpr std::array<Point, 4> line{{{0, 0}, {1, 1}, {2, 2}, {3, 3}}};
  EXPECT_FALSE(Homography::fit(kPanel, line).value_or(Homography()).inverse() &&
               Homography::fit(line, kPanel));
}

TEST(LeastSquares, FindsALineThroughItsPoints) {
  LeastSquares equations(2);
  for (int x = 0; x < 5; ++x) {
    equations.add(std::array{1.0, 1.0 * x}, 3 - 2.0 * x);
  }
  const auto solution = equations.solve();
  ASSERT_EQ(solution.size(), 2U);
  EXPECT_NEAR(solution[0], 3, 1e-9);
  EXPECT_NEAR(solution[1], -2, 1e-9);
}

TEST(LeastSquares, UnderdeterminedEquationsHaveNoSolution) {
  LeastSquares equations(2);
  equations.add(std::array{1.0, 2.0}, 3);
  EXPECT_TRUE(equations.solve().empty());
}

}  // namespace
}  // namespace wccl::phy
