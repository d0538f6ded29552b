// Pinocchio as a peer of the benchmarks: `pinocchio CHAIN_FILE`, then one command a line on
// standard input.
//
//   about             the versions of Pinocchio, Eigen and the compiler
//   run CALL COUNT    times a batch of COUNT calls over the stored states: nanoseconds per call
//   value CALL        the result at the first stored state, matrices row by row
//
// Each command is answered by one line on standard output; a command that is not understood ends
// the program with a message on standard error.  `chains.rs` writes and documents the chain file.
// The algorithms are used as headers, without Pinocchio's compiled library, so that the flags of
// this build (`peer.rs`) hold for all of their code.
#include "pinocchio/multibody.hpp"

#include "pinocchio/algorithm/aba-derivatives.hpp"
#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/rnea-derivatives.hpp"
#include "pinocchio/algorithm/rnea.hpp"

#include <chrono>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace pin = pinocchio;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// Joint positions [rad], velocities [rad/s], accelerations [rad/s^2] and torques [N m].
struct State {
  VectorXd q, u, ud, tau;
};

struct Chain {
  pin::Model model;
  std::vector<State> states;
};

template <class Matrix>
Matrix read(std::istream& in, Eigen::Index rows, Eigen::Index columns) {
  Matrix m(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j) in >> m(i, j);
  return m;
}

pin::JointModel revolute(const std::string& axis) {
  if (axis == "x") return pin::JointModelRX();
  if (axis == "y") return pin::JointModelRY();
  if (axis == "z") return pin::JointModelRZ();
  throw std::runtime_error("unknown joint axis \"" + axis + "\"");
}

Chain read_chain(const std::string& path) {
  std::ifstream in(path);
  Chain chain;
  Eigen::Index joints = 0, states = 0;
  in >> joints >> states;
  pin::JointIndex parent = 0;
  for (Eigen::Index i = 0; i < joints; ++i) {
    std::string axis;
    double mass = 0;
    in >> axis;
    const auto rotation = read<RowMajor3d>(in, 3, 3);
    const auto position = read<Vector3d>(in, 3, 1);
    in >> mass;
    const auto centre = read<Vector3d>(in, 3, 1);
    const auto inertia = read<RowMajor3d>(in, 3, 3);
    if (!in) throw std::runtime_error("cannot read joint " + std::to_string(i) + " of " + path);
    const pin::SE3 placement(rotation, position);
    parent = chain.model.addJoint(parent, revolute(axis), placement, "joint" + std::to_string(i));
    const pin::Inertia body(mass, centre, inertia);
    chain.model.appendBodyToJoint(parent, body, pin::SE3::Identity());
  }
  chain.model.gravity.linear() = Vector3d(0, 0, -9.81);
  for (Eigen::Index i = 0; i < states; ++i) {
    State s;
    for (VectorXd* part : {&s.q, &s.u, &s.ud, &s.tau}) *part = read<VectorXd>(in, joints, 1);
    chain.states.push_back(s);
  }
  if (!in || chain.states.empty()) throw std::runtime_error("cannot read the states of " + path);
  return chain;
}

// The full matrix of which an algorithm fills the upper triangle only.
MatrixXd symmetric(const MatrixXd& m) { return m.selfadjointView<Eigen::Upper>(); }

// Matrices side by side, row by row.
std::vector<double> entries(const std::vector<MatrixXd>& matrices) {
  std::vector<double> list;
  for (const MatrixXd& m : matrices)
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      for (Eigen::Index j = 0; j < m.cols(); ++j) list.push_back(m(i, j));
  return list;
}

// One algorithm: its timed batch and its value at the first state.
struct Call {
  std::function<double(int)> nanoseconds;
  std::function<std::vector<double>()> value;
};

// `solve` is inlined into the timed loop.  As on pliant's side, an eighth of the batch and one call
// run before the clock starts: the processor's caches have served the other program in between.
template <class Solve, class Result>
Call call(const std::vector<State>& states, Solve solve, Result result) {
  auto next = std::make_shared<std::size_t>(0);
  const auto batch = [&states, solve, next](int count) {
    for (int i = 0; i < count; ++i) {
      solve(states[*next]);
      if (++*next == states.size()) *next = 0;
    }
  };
  return {[batch](int count) {
            batch(count / 8 + 1);
            const auto start = std::chrono::steady_clock::now();
            batch(count);
            const auto end = std::chrono::steady_clock::now();
            return std::chrono::duration<double, std::nano>(end - start).count() / count;
          },
          [&states, solve, result] {
            solve(states.front());
            return entries(result());
          }};
}

void serve(const Chain& chain) {
  const pin::Model& model = chain.model;
  const std::vector<State>& states = chain.states;
  pin::Data data(model);
  const MatrixXd zero = MatrixXd::Zero(model.nv, model.nv);
  MatrixXd by_q = zero, by_u = zero, by_last = zero;  // partial derivatives
  using Matrices = std::vector<MatrixXd>;

  std::map<std::string, Call> calls;
  calls["rnea"] = call(
      states, [&](const State& s) { pin::rnea(model, data, s.q, s.u, s.ud); },
      [&] { return Matrices{data.tau}; });
  const auto mass_matrix = [&] { return Matrices{symmetric(data.M)}; };
  calls["crba_local"] = call(
      states, [&](const State& s) { pin::crba(model, data, s.q, pin::Convention::LOCAL); },
      mass_matrix);
  calls["crba_world"] = call(
      states, [&](const State& s) { pin::crba(model, data, s.q, pin::Convention::WORLD); },
      mass_matrix);
  const auto acceleration = [&] { return Matrices{data.ddq}; };
  calls["aba_local"] = call(
      states,
      [&](const State& s) { pin::aba(model, data, s.q, s.u, s.tau, pin::Convention::LOCAL); },
      acceleration);
  calls["aba_world"] = call(
      states,
      [&](const State& s) { pin::aba(model, data, s.q, s.u, s.tau, pin::Convention::WORLD); },
      acceleration);
  const auto slopes = [&] { return Matrices{by_q, by_u, symmetric(by_last)}; };
  calls["rnea_derivatives"] = call(
      states,
      [&](const State& s) {
        pin::computeRNEADerivatives(model, data, s.q, s.u, s.ud, by_q, by_u, by_last);
      },
      slopes);
  calls["aba_derivatives"] = call(
      states,
      [&](const State& s) {
        pin::computeABADerivatives(model, data, s.q, s.u, s.tau, by_q, by_u, by_last);
      },
      slopes);

  std::cout << std::setprecision(17);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string verb, name;
    words >> verb >> name;
    if (verb == "about") {
      std::cout << "Pinocchio " << PINOCCHIO_VERSION << ", Eigen " << EIGEN_WORLD_VERSION << '.'
                << EIGEN_MAJOR_VERSION << '.' << EIGEN_MINOR_VERSION << ", g++ " << __VERSION__;
    } else if (int count = 0; verb == "run" && calls.count(name) && words >> count && count > 0) {
      std::cout << calls[name].nanoseconds(count);
    } else if (verb == "value" && calls.count(name)) {
      for (double entry : calls[name].value()) std::cout << entry << ' ';
    } else {
      throw std::runtime_error("unknown command \"" + line + "\"");
    }
    std::cout << std::endl;
  }
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: pinocchio CHAIN_FILE\n";
    return 2;
  }
  try {
    serve(read_chain(argv[1]));
  } catch (const std::exception& e) {
    std::cerr << "pinocchio: " << e.what() << '\n';
    return 1;
  }
}
