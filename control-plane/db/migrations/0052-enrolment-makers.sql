-- the operator who made a token by the API: it enrols no agent once that person is no operator any more
alter table agent_enrolments add column created_by uuid;
