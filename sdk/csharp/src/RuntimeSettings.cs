using System.Runtime;

namespace Wirelab;

/// <summary>
/// What a contender's <c>[tuning]</c> says of the runtime. Most of it is decided before a program runs, by the
/// manifest's <c>[run] environment</c>: a worker whose runtime is another one than was declared gives up.
/// </summary>
public static class RuntimeSettings
{
    /// <summary>Holds the runtime to what <paramref name="parameters"/> declare.</summary>
    public static void Hold(Fields parameters)
    {
        Compare(parameters, "gc", GCSettings.IsServerGC ? "server" : "workstation");
        Compare(
            parameters, "gc_concurrent", GCSettings.LatencyMode == GCLatencyMode.Batch ? "no" : "yes");
        Compare(parameters, "tiered_compilation", Switched("DOTNET_TieredCompilation"));
        Compare(parameters, "tiered_pgo", Switched("DOTNET_TieredPGO"));
        if (parameters.Has("threads_min"))
        {
            int least = parameters.Within("threads_min", 1, short.MaxValue);
            ThreadPool.SetMinThreads(least, least);
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

    /// <summary>What is on unless the environment says otherwise.</summary>
    private static string Switched(string variable) =>
        Environment.GetEnvironmentVariable(variable) == "0" ? "no" : "yes";
}
