using System.Runtime;

namespace Wirelab;

/// <summary>
/// Settings of .NET as <c>runtime.toml</c> beside this SDK declares them, with what a contender's <c>[tuning]</c> says
/// otherwise. Most of them the core decides by the environment, before a program runs.
/// </summary>
internal static class RuntimeSettings
{
    /// <summary>Throws where the runtime is another one than <paramref name="parameters"/> declare.</summary>
    public static void Hold(Fields parameters)
    {
        // On one processor the server's collector silently becomes the workstation's.
        Compare(parameters, "gc", GCSettings.IsServerGC ? "server" : "workstation");
        Compare(
            parameters, "gc_concurrent", GCSettings.LatencyMode == GCLatencyMode.Batch ? "no" : "yes");
        Compare(parameters, "tiered_compilation", Switched("DOTNET_TieredCompilation"));
        Compare(parameters, "tiered_pgo", Switched("DOTNET_TieredPGO"));
    }

    /// <summary>Gives the pool as many threads to begin with as <paramref name="parameters"/> say; 0: its own number.</summary>
    public static void FillPool(Fields parameters)
    {
        int least = parameters.Has("threads_min") ? parameters.Within("threads_min", 0, short.MaxValue) : 0;
        if (least > 0 && !ThreadPool.SetMinThreads(least, least))
        {
            throw new ContractException($"threads_min: the pool of .NET refuses {least}");
        }
    }

    private static void Compare(Fields parameters, string name, string found)
    {
        string declared = parameters.Text(name, found);
        if (declared != found)
        {
            throw new ContractException($"{name}: declared as {declared}, and the runtime has {found}");
        }
    }

    /// <summary>Tells whether a switch is on, as it is unless the environment says otherwise.</summary>
    private static string Switched(string variable) =>
        Environment.GetEnvironmentVariable(variable) == "0" ? "no" : "yes";
}
