using System.Text.Json;

namespace Wirelab;

/// <summary>The members of a JSON object, by name; what is missing or of another type is named with its key.</summary>
public sealed class Fields
{
    private static readonly JsonElement Nothing = JsonDocument.Parse("{}").RootElement;

    private readonly string _path;
    private readonly Dictionary<string, JsonElement> _members = [];

    private Fields(string path, JsonElement content)
    {
        _path = path;
        foreach (JsonProperty member in content.EnumerateObject())
        {
            _members[member.Name] = member.Value;
        }
    }

    /// <summary>The members of the object whose text is <paramref name="json"/>.</summary>
    public static Fields Of(ReadOnlyMemory<byte> json)
    {
        try
        {
            JsonElement root = JsonDocument.Parse(json).RootElement;
            RefuseDuplicates(root);
            return new Fields("", Checked("", root, JsonValueKind.Object, "an object"));
        }
        catch (JsonException)
        {
            throw new ContractException("expected a value");
        }
    }

    /// <summary>The names of all members, in order.</summary>
    public IEnumerable<string> Names => _members.Keys;

    /// <summary>Tells whether there is a member of this name.</summary>
    public bool Has(string name) => _members.ContainsKey(name);

    /// <summary>A member as it is.</summary>
    public JsonElement Element(string name) =>
        _members.TryGetValue(name, out JsonElement found)
            ? found
            : throw new ContractException($"{Key(name)}: missing");

    /// <summary>A text.</summary>
    public string Text(string name) =>
        Checked(Key(name), Element(name), JsonValueKind.String, "a text").GetString()!;

    /// <summary>A text, or <paramref name="otherwise"/> where there is none.</summary>
    public string Text(string name, string otherwise) => Has(name) ? Text(name) : otherwise;

    /// <summary>A whole number of 64 bits.</summary>
    public long Integer(string name)
    {
        JsonElement found = Element(name);
        return found.ValueKind == JsonValueKind.Number && found.TryGetInt64(out long value)
            ? value
            : throw Unexpected(Key(name), "an integer", found);
    }

    /// <summary>A whole number, or <paramref name="otherwise"/> where there is none.</summary>
    public long Integer(string name, long otherwise) => Has(name) ? Integer(name) : otherwise;

    /// <summary>A whole number from <paramref name="least"/> to <paramref name="most"/>.</summary>
    public int Within(string name, int least, int most)
    {
        long value = Integer(name);
        return least <= value && value <= most
            ? (int)value
            : throw Unexpected(Key(name), $"an integer from {least} to {most}", Element(name));
    }

    /// <summary>A number.</summary>
    public double Number(string name) =>
        Checked(Key(name), Element(name), JsonValueKind.Number, "a number").GetDouble();

    /// <summary>True or false, or <paramref name="otherwise"/> where there is neither.</summary>
    public bool Flag(string name, bool otherwise)
    {
        if (!Has(name))
        {
            return otherwise;
        }
        JsonElement found = Element(name);
        return found.ValueKind is JsonValueKind.True or JsonValueKind.False
            ? found.GetBoolean()
            : throw Unexpected(Key(name), "true or false", found);
    }

    /// <summary>An object.</summary>
    public Fields Object(string name) =>
        new(Key(name), Checked(Key(name), Element(name), JsonValueKind.Object, "an object"));

    /// <summary>An object, or one without members where there is none.</summary>
    public Fields ObjectOrEmpty(string name) =>
        Has(name) ? Object(name) : new Fields(Key(name), Nothing);

    /// <summary>The objects of a list; none where there is no list.</summary>
    public IEnumerable<Fields> Objects(string name) =>
        List(name).Select((element, index) =>
        {
            string key = $"{Key(name)}[{index}]";
            return new Fields(key, Checked(key, element, JsonValueKind.Object, "an object"));
        });

    /// <summary>The elements of a list; none where there is no list.</summary>
    public IEnumerable<JsonElement> List(string name) =>
        Has(name)
            ? Checked(Key(name), Element(name), JsonValueKind.Array, "a list").EnumerateArray()
            : [];

    /// <summary>The same members with those of <paramref name="changes"/> in their place.</summary>
    public Fields With(Fields changes)
    {
        var changed = new Fields(_path, Nothing);
        foreach ((string name, JsonElement value) in _members.Concat(changes._members))
        {
            changed._members[name] = value;
        }
        return changed;
    }

    /// <summary>Throws where an object, however deep, has two members of one name.</summary>
    private static void RefuseDuplicates(JsonElement element)
    {
        if (element.ValueKind == JsonValueKind.Array)
        {
            foreach (JsonElement one in element.EnumerateArray())
            {
                RefuseDuplicates(one);
            }
        }
        if (element.ValueKind != JsonValueKind.Object)
        {
            return;
        }
        var names = new HashSet<string>();
        foreach (JsonProperty member in element.EnumerateObject())
        {
            if (!names.Add(member.Name))
            {
                throw new JsonException($"the key {member.Name} occurs twice");
            }
            RefuseDuplicates(member.Value);
        }
    }

    private string Key(string name) => _path.Length == 0 ? name : $"{_path}.{name}";

    private static JsonElement Checked(string key, JsonElement found, JsonValueKind kind, string expected) =>
        found.ValueKind == kind ? found : throw Unexpected(key, expected, found);

    private static ContractException Unexpected(string key, string expected, JsonElement found) =>
        new($"{(key.Length == 0 ? "" : $"{key}: ")}expected {expected}, found {found.GetRawText()}");
}
