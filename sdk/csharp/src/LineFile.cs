using System.Text;
using System.Text.Json.Nodes;

namespace Wirelab;

/// <summary>A file with a JSON object a line, and the checksum of its bytes. For one thread.</summary>
public sealed class LineFile(string path) : IDisposable
{
    private readonly FileStream _out = new(path, FileMode.Create, FileAccess.Write, FileShare.Read, 1 << 16);
    private uint _state = uint.MaxValue;

    /// <summary>Lines written.</summary>
    public long Lines { get; private set; }

    /// <summary>CRC-32 (IEEE) of everything written, as 8 hexadecimal digits.</summary>
    public string Checksum => Crc32.Written(_state);

    /// <summary>Writes a line.</summary>
    public void Write(JsonObject line) => Write(line.ToJsonString());

    /// <summary>Writes a line whose answer is in words already.</summary>
    internal void Write(JsonObject line, string answer) =>
        Write($"{line.ToJsonString()[..^1]},\"answer\":{answer}}}");

    private void Write(string line)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(line + "\n");
        _out.Write(bytes);
        _state = Crc32.Continued(_state, bytes);
        Lines++;
    }

    /// <summary>Makes what was written visible to readers of the file.</summary>
    public void Flush() => _out.Flush();

    /// <summary>Writes what is left, and closes the file.</summary>
    public void Dispose() => _out.Dispose();
}

/// <summary>The checksum of answers; what .NET has of it is a package of its own.</summary>
internal static class Crc32
{
    private const uint Polynomial = 0xedb88320;

    private static readonly uint[] Table =
        Enumerable.Range(0, 256).Select(number => Divided((uint)number)).ToArray();

    /// <summary>The checksum of <paramref name="bytes"/>, as 8 hexadecimal digits.</summary>
    public static string Of(ReadOnlySpan<byte> bytes) => Written(Continued(uint.MaxValue, bytes));

    /// <summary>A state as the checksum that it is.</summary>
    public static string Written(uint state) => (~state).ToString("x8");

    /// <summary>The state after <paramref name="bytes"/>; its complement is the checksum.</summary>
    public static uint Continued(uint state, ReadOnlySpan<byte> bytes)
    {
        foreach (byte one in bytes)
        {
            state = Table[(byte)(state ^ one)] ^ (state >> 8);
        }
        return state;
    }

    private static uint Divided(uint number)
    {
        for (int bit = 0; bit < 8; bit++)
        {
            number = (number & 1) == 0 ? number >> 1 : Polynomial ^ (number >> 1);
        }
        return number;
    }
}
