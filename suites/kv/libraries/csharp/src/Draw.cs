namespace Wirelab.Kv;

/// <summary>Multi-gets that a step asks for; the suite's README defines them.</summary>
/// <param name="Set">Number of the set, from 1.</param>
/// <param name="Keys">Keys of a multi-get.</param>
/// <param name="Universe">Keys of a set.</param>
/// <param name="Repeated">Whether all keys of a multi-get are its first one.</param>
internal sealed record Draw(int Set, int Keys, int Universe, bool Repeated)
{
    /// <summary>Different multi-gets of a step.</summary>
    public const int MultiGets = 64;

    /// <summary>Reads what the parameters of a step ask for; throws, with the name, where one has no sense.</summary>
    public static Draw Of(Fields parameters)
    {
        string keysAre = parameters.Text("keys_are", "drawn");
        if (keysAre is not ("drawn" or "repeated"))
        {
            throw new ContractException($"keys_are: expected drawn or repeated, found {keysAre}");
        }
        return new Draw(
            parameters.Has("set") ? parameters.Within("set", 1, int.MaxValue) : 1,
            parameters.Has("keys") ? parameters.Within("keys", 1, int.MaxValue) : 50,
            parameters.Has("universe") ? parameters.Within("universe", 1, int.MaxValue) : 10_000,
            keysAre == "repeated");
    }

    /// <summary>Number of the multi-get that a lane asks for at a tick.</summary>
    public static int MultiGetOf(long tick, int lane) => (int)(Mix((ulong)(tick << 16 | (long)lane)) % MultiGets);

    /// <summary>The keys of multi-get <paramref name="number"/>, in order; some of them repeat.</summary>
    public string[] KeysOf(long seed, int number)
    {
        ulong first = Mix(Mix((ulong)seed) ^ ((ulong)Set << 48 | (ulong)Keys << 32 | (uint)number));
        return Enumerable.Range(0, Keys)
            .Select(place => $"k{Mix(first + (Repeated ? 0 : (ulong)place)) % (ulong)Universe}")
            .ToArray();
    }

    /// <summary>The finaliser of splitmix64, which everything random follows from.</summary>
    public static ulong Mix(ulong x)
    {
        ulong z = x + 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return z ^ z >> 31;
    }
}
