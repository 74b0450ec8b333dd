-- a token with which all agents of one region enrol, as the pods of a StatefulSet do, also again after a lost volume
alter table agent_enrolments add column is_reusable boolean not null default false;
alter table agent_enrolments add constraint agent_enrolments_reusable_check check (not is_reusable or region is not null);
-- which token an agent enrolled with: one that enrols again under its name by the same token takes the place of the earlier
alter table agents add column enrolment_id uuid references agent_enrolments (id) on delete set null;
create index agents_of_enrolment on agents (enrolment_id) where enrolment_id is not null;
