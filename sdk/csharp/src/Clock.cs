using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Wirelab;

/// <summary>
/// CLOCK_MONOTONIC in nanoseconds, which is what <see cref="Stopwatch"/> reads on Linux, and the process's own clock.
/// </summary>
public static class Clock
{
    private const int Monotonic = 1;
    private const int ProcessorTime = 2;
    private const int AbsoluteTime = 1;
    private const long SecondNs = 1_000_000_000;

    /// <summary>The time now.</summary>
    public static long Now => Stopwatch.GetTimestamp();

    /// <summary>Processor time of all threads of this process.</summary>
    public static long OfProcess
    {
        get
        {
            _ = ClockGetTime(ProcessorTime, out TimeSpec time);
            return time.Seconds * SecondNs + time.Nanoseconds;
        }
    }

    /// <summary>
    /// Sleeps until <paramref name="timeNs"/>, late by the kernel's timer slack and the wake-up alone: timers of
    /// .NET have a grain of a millisecond. A signal may end it earlier.
    /// </summary>
    public static void SleepUntil(long timeNs)
    {
        var until = new TimeSpec { Seconds = timeNs / SecondNs, Nanoseconds = timeNs % SecondNs };
        _ = ClockNanosleep(Monotonic, AbsoluteTime, in until, 0);
    }

    [DllImport("libc", EntryPoint = "clock_nanosleep")]
    private static extern int ClockNanosleep(int clock, int flags, in TimeSpec until, nint left);

    [DllImport("libc", EntryPoint = "clock_gettime")]
    private static extern int ClockGetTime(int clock, out TimeSpec time);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
