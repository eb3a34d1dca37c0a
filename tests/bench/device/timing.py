"""Times of two functions in turn, and their ratio with its spread."""

import statistics
import time

import torch


class Clock:
    def __init__(self, device, samples, warm_up):
        self.device, self.samples, self.warm_up = device, samples, warm_up

    def wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def once(self, function, calls):
        """Milliseconds a call."""
        if self.device.type == "cuda":
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            for _ in range(calls):
                function()
            end.record()
            end.synchronize()
            return begin.elapsed_time(end) / calls
        start = time.perf_counter()
        for _ in range(calls):
            function()
        return 1000 * (time.perf_counter() - start) / calls

    def calls(self, function, least=2.0):
        """So many calls that a sample is some milliseconds."""
        for _ in range(self.warm_up):
            function()
        self.wait()
        return max(1, min(200, round(least / max(self.once(function, 1), 1e-3))))

    def compare(self, ours, theirs):
        """Both in turn, so that what the machine does to one it does to the other."""
        calls = self.calls(ours), self.calls(theirs)
        times = [], []
        for _ in range(self.samples):
            for function, count, to in zip((ours, theirs), calls, times, strict=True):
                to.append(self.once(function, count))
        return of_pairs(*times)

    def alone(self, function):
        calls = self.calls(function)
        times = [self.once(function, calls) for _ in range(self.samples)]
        return {"ms": spread(times)}


def spread(numbers):
    return {"median": statistics.median(numbers), "low": min(numbers), "high": max(numbers), "samples": len(numbers)}


def of_pairs(ours, theirs):
    """Two columns of samples taken in turn."""
    return {
        "ours_ms": spread(ours),
        "theirs_ms": spread(theirs),
        "ratio": spread([a / b for a, b in zip(ours, theirs, strict=True)]),
    }
