"""What schemathesis cannot write by itself: bodies that are bytes of a format of their own. Made-up ones go out as they are."""
import schemathesis


@schemathesis.serializer("application/x-ndjson", "application/x-protobuf")
def as_it_is(context, value):
    data = getattr(value, "data", value)
    return data if isinstance(data, bytes) else str(data).encode("utf-8", "surrogatepass")
