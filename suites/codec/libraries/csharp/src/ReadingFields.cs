using System.Reflection;
using System.Runtime.CompilerServices;

namespace Codec;

/// <summary>The fields of a version of the record: its properties in their order, an enumeration as an int.</summary>
public readonly struct ReadingFields<V> : IFields<V>
    where V : class
{
    private static readonly PropertyInfo[] _fields = typeof(V).GetProperties();

    public void Write<TWriter>(ref TWriter writer, V value)
        where TWriter : struct, IFieldWriter
    {
        foreach (PropertyInfo field in _fields)
        {
            object? content = field.GetValue(value);
            switch (content)
            {
                case null or string when IsOptional(field):
                    writer.OptionalText((string?)content);
                    break;
                case string text:
                    writer.Text(text);
                    break;
                case long number:
                    writer.Number(number);
                    break;
                default:
                    writer.Number((int)content!);
                    break;
            }
        }
    }

    public V Read<TReader>(ref TReader reader)
        where TReader : struct, IFieldReader
    {
        V value = Activator.CreateInstance<V>();
        foreach (PropertyInfo field in _fields)
        {
            field.SetValue(value, Next(ref reader, field));
        }
        return value;
    }

    private static object? Next<TReader>(ref TReader reader, PropertyInfo field)
        where TReader : struct, IFieldReader
    {
        Type type = field.PropertyType;
        if (type == typeof(string))
        {
            return IsOptional(field) ? reader.OptionalText() : reader.Text();
        }
        if (type == typeof(long))
        {
            return reader.Number<long>();
        }
        int number = reader.Number<int>();
        return type.IsEnum ? Enum.ToObject(type, number) : number;
    }

    private static bool IsOptional(PropertyInfo field) => !field.IsDefined(typeof(RequiredMemberAttribute));
}
