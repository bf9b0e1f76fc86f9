"""The first step: is there a device, what is it, and does it run a kernel at all? It also says how the clock behaves."""

import os
import struct
import subprocess
import time

from . import ptx
from .steps import Step

CLOCK = """.visible .entry clocks(.param .u64 out, .param .u32 spins)
{
    .reg .u64 %d<8>; .reg .u32 %r<4>; .reg .pred %p;
    ld.param.u64 %d1, [out];
    ld.param.u32 %r1, [spins];
    cvta.to.global.u64 %d1, %d1;
    mov.u64 %d2, %clock64;
    mov.u64 %d3, %globaltimer;
    mov.u64 %d6, %d2;
again:
    mov.u64 %d6, %clock64;
    sub.u64 %d7, %d6, %d2;
    cvt.u32.u64 %r2, %d7;
    setp.lt.u32 %p, %r2, %r1;
    @%p bra again;
    mov.u64 %d4, %clock64;
    mov.u64 %d5, %globaltimer;
    st.global.u64 [%d1], %d2;
    st.global.u64 [%d1+8], %d3;
    st.global.u64 [%d1+16], %d4;
    st.global.u64 [%d1+24], %d5;
    ret;
}
"""
SPINS = 50_000_000


def device(context):
    """Properties, and the frequency of `clock64` against `globaltimer`, several times while the clock settles."""
    driver = context.driver
    image = context.tools.of_ptx(ptx.module(driver.capability, [CLOCK]), driver.capability, "device")
    kernel = driver.module(image.data).function("clocks")
    out = driver.alloc(32)
    rates = []
    for _ in range(3 if context.quick else 8):
        driver.launch(kernel, 1, 1, [out, SPINS])
        driver.synchronize()
        c0, t0, c1, t1 = struct.unpack("<4Q", out.read())
        rates.append(round((c1 - c0) / (t1 - t0) * 1000, 2) if t1 > t0 else None)
    return {"properties": driver.properties, "tools": context.tools.describe(), "made_by": image.how, "clock_mhz": rates,
            "priorities": driver.priorities(), "visible_devices": os.environ.get("CUDA_VISIBLE_DEVICES"), "nvidia_smi": None if driver.fake else smi(), "at": time.time()}


def smi():
    """What nvidia-smi says of clocks, modes and other programs, for each GPU, or None."""
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,temperature.gpu,"
                               "power.draw,utilization.gpu,persistence_mode,compute_mode,mig.mode.current,ecc.mode.current", "--format=csv"], stdout=subprocess.PIPE, universal_newlines=True, timeout=15)
        return done.stdout.strip() or None
    except (OSError, subprocess.SubprocessError):
        return None


def finish(record):
    found = record.get("device", {}).get("device")
    if found:
        record["tools"] = found.pop("tools", record.get("tools"))


def prepare(tools, folder, capability):
    tools.prepare(folder, "device", capability, ptx=ptx.module(capability, [CLOCK]))


def players(properties):
    def play(launch):
        launch.arguments[0].put("Q", 0, 0, 0, SPINS, SPINS * 1_000_000 // properties["clock_khz"])

    return [("^clocks$", play)]


STEPS = [Step("device", "device", device, 60, "the device, its clock and whether it runs a kernel")]
