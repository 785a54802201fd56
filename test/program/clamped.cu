// std::clamp, the smallest of a list, and an element of a std::array.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- | FileCheck %s

namespace std {
template <class T> class initializer_list {
  const T *first;
  unsigned long count;
};
template <class T> T min(initializer_list<T>);
template <class T> T max(initializer_list<T>);
template <class T> const T &clamp(const T &, const T &, const T &);
template <class T, unsigned long N> struct array {
  T _M_elems[N];
  const T &operator[](unsigned long) const;
  T &operator[](unsigned long);
};
} // namespace std

__global__ void step(int *) {}

static constexpr std::array<int, 3> sizes = {96, 128, 160};

void launches(int n, int m, int *p) {
  step<<<1, std::clamp(n, 32, 512)>>>(p);
  // CHECK: "max(min(n, 512), 32)"
  // CHECK: "threads": "[32, 512]"
  step<<<1, std::clamp(2000, 32, 512)>>>(p);
  // CHECK: "block": [
  // CHECK-NEXT: 512
  step<<<1, std::min({n, 256, m})>>>(p);
  // CHECK: "min(min(n, 256), m)"
  // CHECK: "threads": "[0, 256]"
  step<<<1, std::max({32, n & 127, 64})>>>(p);
  // CHECK: "threads": "[64, 127]"
  step<<<1, sizes[n]>>>(p);
  // CHECK: "threads": "[96, 160]"
  std::array<int, 2> changes = {32, 64};
  int &one = changes[n];
  one = m;
  step<<<1, changes[n]>>>(p);
  // CHECK: "threads": "[0, 2147483647]"
}
