"""Contact, whoever steps: gaps along a step, islands of closed contacts, impulses."""
