#pragma once
namespace kernelfit {
struct Twice {
};
}  // namespace kernelfit
