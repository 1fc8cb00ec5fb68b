using System.Globalization;

namespace Codec;

/// <summary>Resident memory that a call takes, as the kernel tells it.</summary>
internal static class ResidentMemory
{
    /// <summary>Written to <c>clear_refs</c>, it makes what is resident now the peak.</summary>
    private const string ForgetPeak = "5";

    private const long Kilobyte = 1_024;

    /// <summary>Makes a call; bytes before it and at its peak, or null where the kernel cannot tell.</summary>
    public static (long Before, long Peak)? Of(Action call)
    {
        // What is free would be given to the call for nothing.
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        if (!ForgetsPeak())
        {
            call();
            return null;
        }
        long before = Resident("VmRSS");
        call();
        return (before, Resident("VmHWM"));
    }

    private static bool ForgetsPeak()
    {
        try
        {
            File.WriteAllText("/proc/self/clear_refs", ForgetPeak);
            return true;
        }
        catch (Exception refused) when (refused is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>A line of this process's status, in bytes.</summary>
    private static long Resident(string name)
    {
        string line = File.ReadLines("/proc/self/status").First(one => one.StartsWith($"{name}:", StringComparison.Ordinal));
        string kilobytes = line[(name.Length + 1)..].Replace("kB", "", StringComparison.Ordinal).Trim();
        return Kilobyte * long.Parse(kilobytes, CultureInfo.InvariantCulture);
    }
}
