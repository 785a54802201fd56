// A class template that befriends itself, and one that is declared twice, are
// read once.
// RUN: %coreside check %s --cuda-path=none --dump=program | FileCheck %s
__global__ void fill(float *data) {}

template <class T> class Other;

template <class T> class Buffer {
public:
  template <class U> friend class Buffer;
  template <class U> friend class Other;
  void clear() { fill<<<2, sizeof(T) * 32>>>(data); }

private:
  float *data;
};

template <class T> class Other {
  template <class U> friend class Buffer;

public:
  Buffer<T> inner;
};

int main() {
  Other<float> first;
  first.inner.clear();
  Buffer<double> second;
  second.clear();
}

// CHECK: "function": "main"
// CHECK: "kind": "launch"
// CHECK: "kind": "launch"
// CHECK-NOT: "kind": "launch"
// CHECK-NOT: lostLaunches
