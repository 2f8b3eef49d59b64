#include "phy/least_squares.h"

#include <cmath>
#include <cstddef>

namespace wccl::phy {
namespace {

bool decompose(double* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    double* row = a + i * n;
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = a + j * n;
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= row[k] * other[k];
      }
      if (j < i) {
        row[j] = sum / other[j];
      } else {
        if (!(sum > 1e-12)) {
          return false;
        }
        row[i] = std::sqrt(sum);
      }
    }
  }
  return true;
}

void substitute(const double* lower, double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      x[i] -= lower[i * n + k] * x[k];
    }
    x[i] /= lower[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    x[i] /= lower[i * n + i];
    for (std::size_t k = 0; k < i; ++k) {
      x[k] -= lower[i * n + k] * x[i];
    }
  }
}

}  // namespace

bool solve_spd(std::span<double> a, std::span<double> b, int n) {
  const auto size = static_cast<std::size_t>(n);
  if (!decompose(a.data(), size)) {
    return false;
  }
  for (std::size_t first = 0; first + size <= b.size(); first += size) {
    substitute(a.data(), b.data() + first, size);
  }
  return true;
}

LeastSquares::LeastSquares(int n_unknowns)
    : n_(n_unknowns),
      normal_(static_cast<std::size_t>(n_unknowns) * static_cast<std::size_t>(n_unknowns)),
      right_(static_cast<std::size_t>(n_unknowns)) {}

void LeastSquares::add(std::span<const double> row, double target, double weight) {
  const auto n = static_cast<std::size_t>(n_);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      normal_[i * n + j] += weight * row[i] * row[j];
    }
    right_[i] += weight * row[i] * target;
  }
}

void LeastSquares::add_ridge(int index, double weight, double towards) {
  const auto i = static_cast<std::size_t>(index);
  normal_[i * static_cast<std::size_t>(n_) + i] += weight;
  right_[i] += weight * towards;
}

std::vector<double> LeastSquares::solve() const {
  std::vector<double> normal = normal_;
  std::vector<double> solution = right_;
  if (!solve_spd(normal, solution, n_)) {
    return {};
  }
  return solution;
}

}  // namespace wccl::phy
