#pragma once

#include <span>
#include <vector>

namespace wccl::phy {

/// Solves A X = B for symmetric positive definite A by Cholesky's decomposition.
/// @param a  [n * n] row major; only the lower triangle is read, and it is overwritten.
/// @param b  [n_columns * n], one right-hand side after the other; overwritten by the solutions.
/// @return false when A is not positive definite; `b` is then of no use.
[[nodiscard]] bool solve_spd(std::span<double> a, std::span<double> b, int n);

/// The normal equations of a linear least-squares problem with few unknowns, row by row.
class LeastSquares {
 public:
  explicit LeastSquares(int n_unknowns);

  void add(std::span<const double> row, double target, double weight = 1.0);
  /// Pulls unknown `index` towards a value.
  void add_ridge(int index, double weight, double towards = 0);
  /// @return empty when the rows do not determine the unknowns.
  [[nodiscard]] std::vector<double> solve() const;

 private:
  int n_;
  std::vector<double> normal_;  ///< [n * n]
  std::vector<double> right_;   ///< [n]
};

}  // namespace wccl::phy
