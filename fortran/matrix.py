#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a symmetric positive definite matrix in Matrix Market form: matrix.py [nodes] > mesh.mtx

Bilinear finite elements for -div(k grad u) + c u on the unit square, u = 0 on its edge, with
nodes x nodes free nodes (default 30). The coefficient k varies over the square by a factor of about
30, so that no two eigenvalues are equal for symmetry's sake. Only + - * / are used: the same file
everywhere.
"""
import sys

STIFFNESS = [[4, -1, -2, -1], [-1, 4, -1, -2], [-2, -1, 4, -1], [-1, -2, -1, 4]]  # / 6
MASS = [[4, 2, 1, 2], [2, 4, 2, 1], [1, 2, 4, 2], [2, 1, 2, 4]]  # * h^2 / 36
CORNERS = [(0, 0), (1, 0), (1, 1), (0, 1)]
REACTION = 10.0  # c


def coefficient(x, y):
    """k at (x, y): a slope, and a stiff bump away from the middle."""
    bump = 1 / (1 + 40 * ((x - 0.3) * (x - 0.3) + (y - 0.6) * (y - 0.6)))
    return 1 + 2 * x + y * y + 25 * bump * bump


def assemble(nodes):
    """The lower triangle, {(row, column): value} from 1."""
    h = 1 / (nodes + 1)
    matrix = {}
    for ey in range(nodes + 1):
        for ex in range(nodes + 1):
            k = coefficient((ex + 0.5) * h, (ey + 0.5) * h)
            numbers = []  # of the element's corners; 0 on the edge
            for dx, dy in CORNERS:
                ix, iy = ex + dx, ey + dy
                free = 1 <= ix <= nodes and 1 <= iy <= nodes
                numbers.append((iy - 1) * nodes + ix if free else 0)
            for i, row in enumerate(numbers):
                for j, column in enumerate(numbers):
                    if row >= column > 0:
                        value = k * STIFFNESS[i][j] / 6 + REACTION * h * h * MASS[i][j] / 36
                        matrix[row, column] = matrix.get((row, column), 0.0) + value
    return matrix


def main():
    if len(sys.argv) > 2 or (len(sys.argv) == 2 and not sys.argv[1].isdecimal()):
        sys.exit("usage: matrix.py [nodes]")
    nodes = int(sys.argv[1]) if len(sys.argv) == 2 else 30
    if nodes < 1:
        sys.exit("matrix.py: nodes must be at least 1")
    matrix = assemble(nodes)
    print("%%MatrixMarket matrix coordinate real symmetric")
    print("% Bilinear finite elements for -div(k grad u) + c u on the unit square, u = 0 on its edge,")
    print(f"% {nodes} x {nodes} free nodes, k varying, c = {REACTION:g}. Made by: fortran/matrix.py {nodes}")
    print(nodes * nodes, nodes * nodes, len(matrix))
    for (row, column), value in sorted(matrix.items(), key=lambda item: (item[0][1], item[0][0])):
        print(row, column, f"{value:.12g}")


if __name__ == "__main__":
    main()
