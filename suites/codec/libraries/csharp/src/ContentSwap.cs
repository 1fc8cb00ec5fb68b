using System.Collections;
using System.Reflection;

namespace Codec;

/// <summary>Values and encodings that swap what they hold, while each stays the object that it is.</summary>
internal static class ContentSwap
{
    private const byte Overwritten = 0xAA;

    /// <summary>Action that has each value swap with its twin.</summary>
    public static Action Between<N>(N[] values, N[] twins) => () =>
    {
        for (int i = 0; i < values.Length; i++)
        {
            Swap(values[i]!, twins[i]!);
        }
    };

    /// <summary>The same of encodings. Those of one length are patched; others change their places.</summary>
    public static Action Between(ArraySegment<byte>[] encodings, ArraySegment<byte>[] others) => () =>
    {
        for (int i = 0; i < encodings.Length; i++)
        {
            if (encodings[i].Count == others[i].Count)
            {
                byte[] held = [.. encodings[i]];
                others[i].AsSpan().CopyTo(encodings[i]);
                held.CopyTo(others[i].AsSpan());
            }
            else
            {
                (encodings[i], others[i]) = (others[i], encodings[i]);
            }
        }
    };

    /// <summary>Leaves inputs as they are: a library's messages have no twins.</summary>
    public static void None()
    {
    }

    /// <summary>Has values swap with each other: results are their owner's, who may change them.</summary>
    public static void Spoil<N>(N[] results)
    {
        for (int i = 1; i < results.Length; i++)
        {
            Swap(results[i - 1]!, results[i]!);
        }
    }

    /// <summary>Overwrites bytes.</summary>
    public static void Spoil(ArraySegment<byte>[] results)
    {
        foreach (ArraySegment<byte> bytes in results)
        {
            bytes.AsSpan().Fill(Overwritten);
        }
    }

    private static void Swap(object one, object other)
    {
        switch (one)
        {
            case IDictionary entries:
                DictionaryEntry[] held = Entries(entries);
                Refill(entries, Entries((IDictionary)other));
                Refill((IDictionary)other, held);
                break;
            case IList elements:
                object?[] before = [.. elements.Cast<object?>()];
                Refill(elements, [.. ((IList)other).Cast<object?>()]);
                Refill((IList)other, before);
                break;
            default:
                foreach (PropertyInfo field in one.GetType().GetProperties())
                {
                    object? content = field.GetValue(one);
                    field.SetValue(one, field.GetValue(other));
                    field.SetValue(other, content);
                }
                break;
        }
    }

    private static DictionaryEntry[] Entries(IDictionary entries) =>
        [.. entries.Keys.Cast<object>().Select(key => new DictionaryEntry(key, entries[key]))];

    private static void Refill(IDictionary entries, DictionaryEntry[] content)
    {
        entries.Clear();
        foreach (DictionaryEntry entry in content)
        {
            entries.Add(entry.Key, entry.Value);
        }
    }

    private static void Refill(IList elements, object?[] content)
    {
        elements.Clear();
        foreach (object? element in content)
        {
            elements.Add(element);
        }
    }
}
