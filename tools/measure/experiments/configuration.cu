// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When does an SM change its split of L1 and shared memory, and what does the
// change cost?
//
// Rows that begin with `gap`: X, then Y in the same stream, each one block per
// SM, with preferences that ask for two configurations.
//   gap,from_kb,to_kb,ns_50,ns_90    from X's last end to Y's first start
// Rows that begin with `stays`: X sets the SMs; Y joins and outlives X; then a
// probe that needs a configuration wants to join Y. Does the SM keep what X
// set while Y holds it?
//   stays,x_kb,y_joined,probe_kb,probe_start,x_end,y_end
//   y_joined: SMs on which Y began before X ended; times in ns after X's start
// Rows that begin with `again`: the same SMs after X ended and all were idle:
// is a probe that needs more than Y's own target refused beside Y?
//   again,x_kb,probe_kb,probe_joined

#include "Lab.h"

#include <algorithm>

using namespace lab;

namespace {

/// One warp that needs an SM set to at least `KiB`: its blocks alone would
/// fill that much. The kernel must not be used for something else.
Shape probeFor(int KiB, const HoldKernel &kernel) {
  Shape best;
  for (int threads : {32, 64, 128, 256, 512, 1024})
    for (int shared = 0; shared <= 16 * 1024; shared += 128) {
      const Shape shape{
          .kernel = &kernel, .threads = threads, .shared = shared};
      const int bytes = blocksPerSM(shape) * sharedPerBlock(shape);
      const auto &sizes = configurations();
      const auto need = std::ranges::lower_bound(sizes, (bytes + 1023) / 1024);
      if (need != sizes.end() && *need == KiB) {
        if (!best.kernel || shared < best.shared)
          best = shape;
        break;
      }
    }
  return best;
}

int percentFor(int KiB) {
  // The driver rounds a preference up to the next configuration.
  return int(int64_t(KiB) * 1024 * 100 /
             int64_t(device().properties.sharedMemPerMultiprocessor));
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 15);
  printDevice();
  warmUp();
  const int SMs = device().SMs;
  Track trackX(SMs), trackY(SMs), trackD(1), trackP(1);
  const cudaStream_t streamX = newStream(), streamY = newStream(),
                     streamP = newStream();
  const HoldKernel &kernelX = holdKernel(24), &kernelY = holdKernel(32),
                   &kernelD = holdKernel(40), &kernelP = holdKernel(48);
  std::printf("# gap,from_kb,to_kb,ns_50,ns_90\n");
  for (int from : configurations())
    for (int to : configurations()) {
      setCarveout(kernelX, percentFor(from));
      setCarveout(kernelY, percentFor(to));
      std::vector<int64_t> gaps;
      for (int i = 0; i < options.rows; ++i) {
        const Shape X{.kernel = &kernelX,
                      .threads = 1024,
                      .grid = SMs,
                      .nanoseconds = 30000};
        Shape Y = X;
        Y.kernel = &kernelY;
        launch(X, trackX.onDevice(), streamX);
        launch(Y, trackY.onDevice(), streamX);
        check(cudaDeviceSynchronize());
        uint64_t end = 0;
        for (const BlockRecord &block : trackX.read(SMs))
          end = std::max(end, block.end);
        gaps.push_back(int64_t(firstStart(trackY.read(SMs)) - end));
      }
      std::ranges::sort(gaps);
      std::printf("gap,%d,%d,%lld,%lld\n", from, to,
                  (long long)gaps[gaps.size() / 2],
                  (long long)gaps[gaps.size() * 9 / 10]);
    }

  std::printf("# stays,x_kb,y_joined,probe_kb,probe_start,x_end,y_end\n");
  setCarveout(kernelY, -1);
  for (int KiB : configurations())
    for (int probed : configurations()) {
      Shape probe = probeFor(probed, kernelP);
      if (!probe.kernel)
        continue;
      setCarveout(kernelX, percentFor(KiB));
      const Shape X{.kernel = &kernelX,
                    .threads = 512,
                    .grid = SMs,
                    .nanoseconds = 100000};
      // Y and D have few blocks per SM alone, so that they need little.
      const Shape Y{.kernel = &kernelY,
                    .threads = 768,
                    .grid = SMs,
                    .nanoseconds = 400000};
      const Shape D{.kernel = &kernelD, .threads = 512, .nanoseconds = 150000};
      probe.nanoseconds = 1000;
      check(cudaDeviceSynchronize());
      launch(X, trackX.onDevice(), streamX);
      launch(Y, trackY.onDevice(), streamY);
      // D ends after X, so that the probe comes when only Y is left.
      launch(D, trackD.onDevice(), streamP);
      launch(probe, trackP.onDevice(), streamP);
      check(cudaDeviceSynchronize());
      const uint64_t origin = firstStart(trackX.read(SMs));
      const Times ofX = timesOf(trackX.blocks(), origin);
      const Times ofY = timesOf(trackY.read(SMs), origin);
      const auto joined =
          std::ranges::count_if(trackY.blocks(), [&](const BlockRecord &block) {
            return int64_t(block.start - origin) < ofX.firstEnd;
          });
      std::printf("stays,%d,%lld,%d,%lld,%lld,%lld\n", KiB, (long long)joined,
                  probed, (long long)(trackP.read(1)[0].start - origin),
                  (long long)ofX.lastEnd, (long long)ofY.firstEnd);
    }

  std::printf("# again,x_kb,probe_kb,probe_joined\n");
  for (int KiB : configurations())
    for (int probed : configurations()) {
      Shape probe = probeFor(probed, kernelP);
      if (!probe.kernel)
        continue;
      setCarveout(kernelX, percentFor(KiB));
      const Shape X{.kernel = &kernelX,
                    .threads = 512,
                    .grid = SMs,
                    .nanoseconds = 20000};
      const Shape Y{.kernel = &kernelY,
                    .threads = 768,
                    .grid = SMs,
                    .nanoseconds = 100000};
      probe.nanoseconds = 1000;
      launch(X, trackX.onDevice(), streamX);
      check(cudaDeviceSynchronize());
      launch(Y, trackY.onDevice(), streamY);
      launch(probe, trackP.onDevice(), streamP);
      check(cudaDeviceSynchronize());
      const uint64_t origin = firstStart(trackY.read(SMs));
      const Times ofY = timesOf(trackY.blocks(), origin);
      std::printf("again,%d,%d,%d\n", KiB, probed,
                  int64_t(trackP.read(1)[0].start - origin) < ofY.firstEnd);
    }
}
