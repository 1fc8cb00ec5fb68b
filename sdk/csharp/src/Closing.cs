namespace Wirelab;

/// <summary>Closes what a library may never let go of.</summary>
public static class Closing
{
    /// <summary>Closes on another thread, and goes on after the limit: a library that hangs must not outlive its trial.</summary>
    public static void Within(long limitNs, Func<Task> close)
    {
        try
        {
            if (!Task.Run(close).Wait(TimeSpan.FromTicks(limitNs / TimeSpan.NanosecondsPerTick)))
            {
                Console.Error.WriteLine("closing was given up: the library has not returned");
            }
        }
        catch (AggregateException failed)
        {
            Console.Error.WriteLine($"closing failed: {failed.InnerException}");
        }
    }
}
