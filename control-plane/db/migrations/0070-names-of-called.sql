-- whom a step called keeps the name of then: who has left a team is no longer read by it
alter table escalation_notifications add column user_name varchar(255);
update escalation_notifications n set user_name = u.name from users u where u.id = n.user_id;
