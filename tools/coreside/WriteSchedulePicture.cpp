// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriteSchedulePicture.h"
#include "ScheduleSpans.h"

#include "device/Occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace coreside;

namespace {

constexpr double left = 60, top = 20, plotWidth = 1000;
constexpr double legendLine = 18;
/// Colours that differ for most colour-blind people too (Okabe and Ito).
constexpr const char *colours[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                   "#56b4e9", "#d55e00", "#f0e442", "#999999"};

std::string escaped(const std::string &text) {
  std::string result;
  for (char letter : text)
    switch (letter) {
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '&':
      result += "&amp;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += letter;
    }
  return result;
}

/// A round number of microseconds of which about ten make up `span`.
double tickOf(double span) {
  if (!(span > 0))
    return 1;
  const double power = std::pow(10, std::floor(std::log10(span / 10)));
  for (double factor : {1, 2, 5})
    if (span / (power * factor) <= 12)
      return power * factor;
  return power * 10;
}

/// A band of a row that is taken until `end`.
struct Band {
  double from;
  double to;
  double end;
};

/// The lowest free place of `height` in a row whose bands are given.
double placeOf(std::vector<Band> &bands, double start, double height) {
  std::erase_if(bands, [&](const Band &band) { return band.end <= start; });
  std::ranges::sort(bands, {}, &Band::from);
  double from = 0;
  for (const Band &band : bands) {
    if (band.from - from >= height)
      break;
    from = std::max(from, band.to);
  }
  return std::max(0.0, std::min(from, 1 - height));
}

} // namespace

void coreside::writeSchedulePicture(llvm::raw_ostream &out, const GPU &gpu,
                                    const DeviceProgram &program,
                                    const Schedule &schedule) {
  const double row = std::clamp(800.0 / gpu.SMs, 5.0, 24.0);
  const double plotHeight = row * gpu.SMs;
  const double microseconds = std::max(schedule.makespan / 1000, 1e-3);
  const double scale = plotWidth / microseconds;
  const size_t kernels = program.kernels.size();
  const double height = top + plotHeight + 50 + legendLine * double(kernels);
  out << fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      left + plotWidth + 20, height);

  std::vector<unsigned> warps;
  for (const DeviceKernel &kernel : program.kernels)
    warps.push_back(blockCost(gpu.architecture, kernel.grid.footprint).warps);
  std::vector<Band> bands;
  unsigned SM = ~0u;
  for (const LaneSpan &lane : gatherSpans(schedule)) {
    const BlockSpan &span = lane.span;
    if (span.SM != SM) {
      SM = span.SM;
      bands.clear();
    }
    // A span of several waves stands for one wave after the other.
    const double share =
        std::min(1.0, double(span.blocks) * warps[span.kernel] /
                          std::max(1u, gpu.architecture.warpsPerSM));
    const double place = placeOf(bands, span.start, share);
    bands.push_back({place, place + share, span.end});
    out << fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
        "fill=\"{}\"><title>{}: {} on SM {}, {:.1f} to {:.1f} us"
        "</title></rect>\n",
        left + span.start / 1000 * scale, top + row * (SM + place),
        std::max(0.2, (span.end - span.start) / 1000 * scale), row * share,
        colours[span.kernel % std::size(colours)],
        escaped(program.kernels[span.kernel].name), span.blocks, SM,
        span.start / 1000, span.end / 1000);
  }

  const double tick = tickOf(microseconds);
  for (unsigned i = 0; i * tick <= microseconds; ++i)
    out << fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}v{2:.1f}\" stroke=\"#0003\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4:g}"
        "</text>\n",
        left + i * tick * scale, top, plotHeight, top + plotHeight + 14,
        i * tick);
  out << fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">microseconds on {}, {} "
                     "SMs from top to bottom</text>\n",
                     left, top + plotHeight + 30, escaped(gpu.name), gpu.SMs);
  for (unsigned shown : {0u, gpu.SMs - 1})
    out << fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">SM "
                       "{}</text>\n",
                       left - 6, top + row * (shown + 0.5) + 4, shown);
  for (size_t i = 0; i < kernels; ++i)
    out << fmt::format(
        "<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"12\" height=\"12\" "
        "fill=\"{2}\"/><text x=\"{3:.1f}\" y=\"{4:.1f}\">{5}</text>\n",
        left, top + plotHeight + 40 + legendLine * double(i),
        colours[i % std::size(colours)], left + 18,
        top + plotHeight + 50 + legendLine * double(i),
        escaped(program.kernels[i].name));
  out << "</svg>\n";
}
