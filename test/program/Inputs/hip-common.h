// How HIP programs often get its header: by way of one of their own.
#pragma once

#include <hip/hip_runtime.h>
