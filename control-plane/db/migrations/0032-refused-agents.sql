-- agents that speak a protocol which the control plane does not, since when, and their version
alter table agents
  add column refused_protocol int,
  add column refused_version varchar(40),
  add column refused_at timestamptz;
