// The runner keeps a variable of its own under a name that is one of ours; the processes that tests start must not
// inherit it.
delete process.env.BASE_URL
