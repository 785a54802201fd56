#pragma once
constexpr unsigned blurBlocks = 132;
__global__ void blur(float *p) { p[0] = 1; }
__global__ void edge(float *p) { p[0] = 2; }
