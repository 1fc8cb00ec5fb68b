using System.Runtime.CompilerServices;
using CGDK;
using Codec;

namespace Original;

/// <summary>Values appended to a buffer. Lists and the map are written as a whole; a flag, which it does not know, is a byte.</summary>
internal struct Written(buffer empty) : IFieldWriter
{
    private buffer _buffer = empty;

    /// <summary>Bytes that were appended.</summary>
    public readonly ArraySegment<byte> Bytes => _buffer;

    public void Number<T>(T value)
        where T : unmanaged => _buffer.Append(value);

    public void Flag(bool value) => _buffer.Append(value ? (byte)1 : (byte)0);

    public void Text(string value) => _buffer.Append(value);

    public void OptionalText(string? value) => _buffer.Append(value);

    public void Integers(List<int> values) => _buffer.Append(values);

    public void Texts(List<string> values) => _buffer.Append(values);

    public void Lists(Dictionary<string, List<int>> values) => _buffer.Append(values);

    public bool Count(int count, Element element)
    {
        _buffer.Append(count);
        return true;
    }
}

/// <summary>Values extracted from a buffer.</summary>
internal struct Read(buffer full) : IFieldReader
{
    private buffer _buffer = full;

    public T Number<T>()
        where T : unmanaged => _buffer.Extract<T>();

    public bool Flag() => _buffer.Extract<byte>() != 0;

    public string Text() => _buffer.Extract<string>()!;

    public string? OptionalText() => _buffer.Extract<string>();

    public List<int> Integers() => _buffer.Extract<List<int>>()!;

    public List<string> Texts() => _buffer.Extract<List<string>>()!;

    public Dictionary<string, List<int>> Lists() => _buffer.Extract<Dictionary<string, List<int>>>()!;

    public int Count(Element element) => _buffer.Extract<int>();
}

/// <summary>Bytes that values take, as the library counts those of texts and lists.</summary>
internal struct SizeSum : IFieldWriter
{
    /// <summary>Size of all values so far.</summary>
    public int Bytes { get; private set; }

    public void Number<T>(T value)
        where T : unmanaged => Bytes += Unsafe.SizeOf<T>();

    public void Flag(bool value) => Bytes += sizeof(byte);

    public void Text(string value) => Bytes += buffer.GetSizeOf(value);

    public void OptionalText(string? value) => Bytes += buffer.GetSizeOf(value);

    public void Integers(List<int> values) => Bytes += buffer.GetSizeOf(values);

    public void Texts(List<string> values) => Bytes += buffer.GetSizeOf(values);

    public void Lists(Dictionary<string, List<int>> values) => Bytes += buffer.GetSizeOf(values);

    public bool Count(int count, Element element)
    {
        Bytes += sizeof(int) + (element.IsFixed ? element.Numbers * count : 0);
        return !element.IsFixed;
    }
}
