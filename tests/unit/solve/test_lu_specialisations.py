"""Functions of the LU made for one height of a block must not share a name: cached files tell them apart by it."""

from samara.solve.linear.lu import dense


def test_each_height_has_a_name_of_its_own():
    makers = [lambda height: dense._make_sweep(height, 0), dense._make_update, dense._make_multiply, dense._make_reduce]
    makers += [lambda height: dense._make_sweep(height, 1), lambda height: dense._make_sweep(1, 1 + height)]
    names = [make(height).py_func.__qualname__ for make in makers for height in (1, 2, 3)]
    assert len(set(names)) == len(names)
