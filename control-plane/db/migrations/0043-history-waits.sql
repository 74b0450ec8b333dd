-- regions whose results are decided on and wait to be stored, and since which moment the history lacks some of them
create table history_waits (
  region varchar(40) primary key,
  since timestamptz not null,
  noted_at timestamptz not null default clock_timestamp()
);
